import { AcervoClient } from '@acervo/client';
import { exitCodes } from './exit-codes';
import { CommandFailure } from './failures';
import { type Messages, messagesFor } from './messages';
import { type Profile, Profiles } from './profiles';
import type { Terminal } from './terminal';
import { colours, noStyle, type Style, table } from './text';

/** Options that every command has. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly url?: string;
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

export const DEFAULT_URL = 'http://localhost:8080';

/** What a command works with: the client of its profile, and the presentation that its caller wants. */
export class CommandSession {
  readonly messages: Messages;
  readonly style: Style;
  readonly profiles: Profiles;

  constructor(
    readonly terminal: Terminal,
    readonly options: GlobalOptions,
  ) {
    const { environment, isInteractive, settingsFolder } = terminal;
    this.messages = messagesFor(environment);
    const isPlain = !isInteractive || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
    this.style = isPlain ? noStyle : colours;
    this.profiles = new Profiles(settingsFolder);
  }

  /** Name of the profile, where the caller named one. */
  get profileName(): string | undefined {
    return this.options.profile ?? this.terminal.environment['ACERVO_PROFILE'];
  }

  /** Whether the output is for a program. */
  get isForPrograms(): boolean {
    return this.options.json === true || this.options.jsonl === true;
  }

  /** @throws CommandFailure without a key */
  client(): AcervoClient {
    const { url, key } = this.profile();
    return new AcervoClient({ baseUrl: url, key });
  }

  /** Prints an answer: whole as JSON, item by item as JSON lines, or as people read it. */
  present<T extends object>(answer: T, itemsOf: (answer: T) => readonly unknown[], text: (answer: T) => string): void {
    if (this.options.jsonl === true)
      return itemsOf(answer).forEach((item) => this.terminal.print(`${JSON.stringify(item)}\n`));
    this.terminal.print(this.options.json === true ? `${JSON.stringify(answer, null, 2)}\n` : text(answer));
  }

  table(heads: readonly string[], rows: readonly (readonly unknown[])[]): string {
    if (rows.length === 0) return `${this.messages.nothingFound}\n`;
    return table(heads, rows, { columns: this.terminal.columns, style: this.style });
  }

  /** Names and values, one a line. */
  fields(values: Readonly<Record<string, unknown>>): string {
    const shown = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]);
    return table(['', ''], shown, { columns: Infinity, style: noStyle }).replace(/^\n/, '');
  }

  /** Address and key of the caller. @throws CommandFailure without a key */
  profile(): Profile {
    const { ACERVO_KEY: key = '', ACERVO_URL } = this.terminal.environment;
    if (key !== '' && this.options.profile === undefined)
      return { key, url: this.options.url ?? ACERVO_URL ?? this.profiles.find(undefined)?.url ?? DEFAULT_URL };
    const stored = this.profiles.find(this.profileName);
    const { noKey, noKeyNext, noProfile } = this.messages;
    if (stored === undefined)
      throw new CommandFailure(exitCodes.unauthorized, this.profileName === undefined ? noKey : noProfile, noKeyNext);
    return { ...stored, url: this.options.url ?? stored.url };
  }
}
