import type { Command } from 'commander';
import type { GlobalOptions, CommandSession } from '../command-session';

/** Opens the session of a command from its options. */
export type OpenSession = (options: GlobalOptions) => CommandSession;

/** What adds commands to the program. */
export interface CommandContext {
  readonly program: Command;
  readonly open: OpenSession;
  readonly texts: CommandSession['messages']['commands'];
  /** Texts of options, for one that means something else than others of its name. */
  readonly optionTexts: CommandSession['messages']['options'];
}

/** Options of a command, as commander names them. */
export type Options = GlobalOptions & Readonly<Record<string, unknown>>;

/** An integer of the command line; NaN for another text, which the service refuses. */
export const integer = (text: string): number => (/^-?\d+$/.test(text) ? Number(text) : NaN);

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];

/** Fields of an input that have a value. */
export const present = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
