import type { ServiceName } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { SettingsClass } from '@acervo/platform-config';
import type { Database } from '@acervo/platform-database';

export type Print = (line: string) => void;

/** Context that an admin command is executed with. */
export interface AdminCommandContext {
  readonly service: ServiceName;
  /** Settings of the service, by class. */
  config<C extends object>(type: SettingsClass<C>): Readonly<C>;
  /** Calls to this service run as its operator; calls to other services run as this service. */
  readonly calls: Calls;
  readonly database: Database;
  /** The name of the admin command, for logs and audit. */
  readonly cause: string;
  /** Value given on the command line; empty where the command takes none. */
  readonly value: string;
  /** Code of the group that `--group` names, if any. */
  readonly group: string | null;
  readonly print: Print;
}

/**
 * A command that an operator gives to the program of a service. It is executed by calls, beside the running processes:
 * it joins no consumers, works no stages and opens no listener.
 */
export interface AdminCommand {
  /** Option name on the command line, without the dashes. */
  readonly name: string;
  /** Name of the required value, as the help prints it. */
  readonly takes?: string;
  /** One line of the help. */
  readonly about: string;
  /** Whether `--group CODE` selects the group. */
  readonly ofGroups?: boolean;
  /** @throws AdminCommandFailed, or the error of the call that failed */
  execute(context: AdminCommandContext): Promise<void>;
}

/** An admin command failed; the message names what to do. */
export class AdminCommandFailed extends Error {
  override readonly name = 'AdminCommandFailed';
}
