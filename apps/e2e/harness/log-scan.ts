import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KnownSecrets, SecretFinder } from './secrets';

/** Secrets by their form alone: no line of a log may contain one, known to the suite or not. */
const SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['an API key', /acv_1[0-9A-Za-z]{34}_[0-9A-Za-z]{27}/],
  ['a token', /\bac[a-z]_[0-9A-Za-z]{44}_[0-9A-Za-z]{27}/],
  ['a signed token', /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/],
  ['a private key', /PRIVATE KEY/],
  ['the secret of a factor', /otpauth:\/\//],
  ['an email address', /[\w.%+-]+@(?:[a-z0-9-]+\.)+(?:test|local|example|invalid|com|org|net|es)\b/i],
];
/** Shorter lines of documents are no evidence. */
const LEAST_PHRASE = 24;
/** Phrases of documents that are looked for. */
const MOST_PHRASES = 300;

/** What a line is about: its sentence, which is fixed, and its service. */
const eventOf = (line: string): string => {
  try {
    const { msg, service } = JSON.parse(line) as { readonly msg?: unknown; readonly service?: unknown };
    return `${String(service)}: ${String(msg)}`.slice(0, 200);
  } catch {
    return 'a line that is no JSON';
  }
};

/** The lines of logs with secrets in them, as their events; the secrets are not repeated. */
export const leaksIn = (text: string, finder: SecretFinder, phrases: readonly string[] = []): string[] => {
  const shapes = SHAPES.filter(([, shape]) => shape.test(text));
  const isSuspect =
    shapes.length > 0 || finder.kindsIn(text).length > 0 || phrases.some((phrase) => text.includes(phrase));
  if (!isSuspect) return [];
  const found = text.split('\n').flatMap((line) => {
    const kinds = [
      ...shapes.flatMap(([kind, shape]) => (shape.test(line) ? [kind] : [])),
      ...finder.kindsIn(line),
      ...(phrases.some((phrase) => line.includes(phrase)) ? ['text of a document'] : []),
    ];
    return kinds.map((kind) => `${kind} in "${eventOf(line)}"`);
  });
  return [...new Set(found)];
};

/** Watches the logs of all programs that a suite starts. Outside of a suite it does nothing. */
export class LogWatch {
  readonly secrets = new KnownSecrets();
  private readonly phrases = new Set<string>();
  private readonly opened = new Set<string>();
  private readonly leaks = new Set<string>();

  constructor(readonly isOn: boolean) {}

  /** Remembers the text of a document. */
  addDocument(text: string): void {
    if (!this.isOn) return;
    for (const line of text.split('\n'))
      if (line.trim().length >= LEAST_PHRASE && this.phrases.size < MOST_PHRASES) this.phrases.add(line.trim());
  }

  /** Remembers the secrets of a request and its answer. */
  addExchange(sent: readonly (string | undefined)[], received: string): void {
    if (!this.isOn) return;
    for (const text of [...sent, received]) if (text !== undefined) this.secrets.addFrom(text);
  }

  addSecret(kind: string, value: string | null | undefined): void {
    if (this.isOn && value != null) this.secrets.add(kind, value);
  }

  /** Watches the log of a data directory from now on. */
  open(data: string, settings: Readonly<Record<string, unknown>> = {}): void {
    if (!this.isOn) return;
    this.opened.add(data);
    this.secrets.addSettings(settings);
  }

  /** Scans the log of a data directory. */
  scan(data: string): void {
    if (!this.isOn) return;
    const folder = join(data, 'logs');
    if (!existsSync(folder)) return;
    this.secrets.addGenerated(data);
    this.secrets.addMails(data);
    const finder = new SecretFinder(this.secrets.all);
    for (const name of readdirSync(folder))
      for (const leak of leaksIn(readFileSync(join(folder, name), 'utf8'), finder, [...this.phrases]))
        this.leaks.add(leak);
  }

  /** @throws for a secret in any log so far */
  assertClean(): void {
    for (const data of this.opened) this.scan(data);
    if (this.leaks.size > 0) throw new Error(`Logs contain secrets:\n${[...this.leaks].join('\n')}`);
  }
}

/** Registers work for the end of a suite of Jest; undefined outside of one. */
const { afterAll: atEndOfSuite } = globalThis as { readonly afterAll?: (work: () => void) => void };

/** The watch of the suite that runs. It fails the suite at its end, also where a program was killed or left running. */
export const logWatch = new LogWatch(atEndOfSuite !== undefined);
atEndOfSuite?.(() => logWatch.assertClean());
