import type { ServiceName } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { SettingsClass } from '@acervo/platform-config';
import type { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { type AdminCommandDeclaration, type AdminCommandName, declaredCommands } from './declared-commands';

export type Print = (line: string) => void;

/** The groups of an admin command, as its front end selects and presents them. */
export interface CommandGroups {
  /** The scope of a command for one group: the selected group, else the first one. @throws AdminCommandFailed */
  one(): Promise<WorkScope>;
  /** The scope of the group with a code. @throws AdminCommandFailed for an unknown code */
  named(code: string): Promise<WorkScope>;
  /**
   * Runs a step for each group: the selected one, else all. Its `print` shows which group a line is about.
   * @param work returns false where it failed and printed the reason
   * @returns whether all succeeded
   */
  each(work: (scope: WorkScope, print: Print) => Promise<boolean | void>): Promise<boolean>;
}

/** Context that an admin command is executed with, the same in the program of a service and in `npm start`. */
export interface AdminCommandContext {
  readonly service: ServiceName;
  /** Settings of the service, by class. */
  config<C extends object>(type: SettingsClass<C>): Readonly<C>;
  /** Calls as an operator. Calls to this service stay in this process. */
  readonly calls: Calls;
  readonly database: Database;
  /** The name of the admin command, for logs and audit. */
  readonly cause: string;
  /** Value given on the command line; empty where the command takes none. */
  readonly value: string;
  readonly groups: CommandGroups;
  readonly print: Print;
  /** Shows a new API key where the front end has a place for it; without it, the key is printed. */
  readonly showKey?: ((apiKey: string) => void) | undefined;
}

/**
 * The implementation of an admin command. It is executed by calls, beside the running processes: it joins no consumers,
 * works no stages and opens no listener.
 */
export interface AdminCommand<Context = AdminCommandContext> extends AdminCommandDeclaration {
  /** Option name on the command line, without the dashes. */
  readonly name: string;
  /**
   * Returns false where the command failed and printed the reason.
   * @throws AdminCommandFailed, or the error of the call that failed
   */
  execute(context: Context): Promise<boolean | void>;
}

/** The admin command of a declaration in `admin-commands.json`. */
export const adminCommand = <Context = AdminCommandContext>(
  name: AdminCommandName,
  execute: AdminCommand<Context>['execute'],
): AdminCommand<Context> => ({ name, ...declaredCommands[name], execute });

/** Gives the work of a command a `print`. Where it printed no line, prints the declared line for nothing. */
export const orNothing = async (
  { nothing }: AdminCommandDeclaration,
  print: Print,
  work: (print: Print) => Promise<boolean>,
): Promise<boolean> => {
  let isSilent = true;
  const isDone = await work((line) => {
    isSilent = false;
    print(line);
  });
  if (isSilent && nothing !== undefined) print(nothing);
  return isDone;
};

/** The group with a code. @throws AdminCommandFailed for an unknown code */
export const groupWith = <G extends { readonly code: string }>(groups: readonly G[], code: string): G => {
  const group = groups.find((each) => each.code === code);
  if (group === undefined) throw new AdminCommandFailed(`There is no group ${code}; check its code.`);
  return group;
};

/** An admin command failed; the message names what to do. */
export class AdminCommandFailed extends Error {
  override readonly name = 'AdminCommandFailed';
}
