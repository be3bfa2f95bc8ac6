import type { ServiceName } from '@acervo/contracts';
import declarations from './admin-commands.json';

/** The names of all admin commands, as on the command line without the dashes. */
export type AdminCommandName = keyof typeof declarations;

/** How `npm start` offers an admin command. */
export interface StartOffer {
  /** Heading of its line in the help; `tools/lib/options.mjs` has the order of the headings. */
  readonly heading: 'Documents' | 'Upkeep' | 'People';
  /** A start with this command executes its commands and ends; it creates no installation. */
  readonly isBrief?: boolean;
  /** Its output is the whole answer of a running program, which does not add that it runs and where. */
  readonly isAnswer?: boolean;
  /** `first`: before the start prints that it is ready. `last`: after its folders are ingested. Otherwise in between. */
  readonly runs?: 'first' | 'last';
  /** The command leaves work to the pipeline; the running program shows its progress. */
  readonly startsWork?: boolean;
}

/**
 * What the front ends know about an admin command. `admin-commands.json` has one declaration for each, in the order of
 * their execution; `npm start` reads it before anything is built.
 */
export interface AdminCommandDeclaration {
  /** One line of the help. */
  readonly about: string;
  /** Name of the value, as the help prints it; in brackets where the value may be left out. */
  readonly takes?: string;
  /** Value of an omitted one; `{date}` stands for the present day. */
  readonly default?: string;
  /** Services that carry it out, and whose programs offer it; none where `npm start` alone does. */
  readonly services?: 'every' | readonly ServiceName[];
  /** Whether `--group CODE` selects the group, in the program of a service. */
  readonly ofGroups?: boolean;
  /** Printed where the command printed no line, in no service. */
  readonly nothing?: string;
  /** Absent where `npm start` does not offer it. */
  readonly start?: StartOffer;
}

/** The declarations of all admin commands, in the order of their execution. */
export const declaredCommands = declarations as Readonly<Record<AdminCommandName, AdminCommandDeclaration>>;

/** An admin command that a user asks of `npm start`. */
export interface AdminCommandRequest {
  readonly name: AdminCommandName;
  /** Absent where the command takes none. */
  readonly value?: string;
}

/** The declaration of a name; undefined where there is none, as for a name of another version. */
export const declarationOf = (name: string): AdminCommandDeclaration | undefined =>
  Object.hasOwn(declaredCommands, name) ? declaredCommands[name as AdminCommandName] : undefined;

/** How `npm start` offers a name; undefined where it does not. */
export const offerOf = ({ name }: AdminCommandRequest): StartOffer | undefined => declarationOf(name)?.start;
