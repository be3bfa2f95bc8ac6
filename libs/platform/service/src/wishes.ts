import type { ServiceName } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { ServiceConfig } from './service-config';

export type Say = (line: string) => void;

/** What a wish is carried out with. */
export interface WishParts<C extends ServiceConfig = ServiceConfig> {
  readonly service: ServiceName;
  readonly config: Readonly<C>;
  /** Calls of the service itself as its operator, calls of others as the service. */
  readonly calls: Calls;
  readonly database: Database;
  /** The name of the wish, for logs and audit. */
  readonly cause: string;
  /** What was said with it; empty where it takes nothing. */
  readonly value: string;
  /** Code of the one group that it is for, where one was named. */
  readonly group: string | null;
  readonly say: Say;
}

/**
 * What an operator asks the program of a service instead of running it. It is carried out by calls, beside the processes
 * that run: it joins no consumers, works no stages and listens nowhere.
 */
export interface Wish<C extends ServiceConfig = ServiceConfig> {
  /** As the command line says it, without the dashes. */
  readonly name: string;
  /** What has to be said with it, as the help names it. */
  readonly takes?: string;
  /** One line of the help. */
  readonly about: string;
  /** Whether `--group CODE` chooses whom it is for. */
  readonly ofGroups?: boolean;
  /** @throws WishFailed, or the error of the call that failed */
  carryOut(parts: WishParts<C>): Promise<void>;
}

/** A wish came to nothing; the message says what to do. */
export class WishFailed extends Error {
  override readonly name = 'WishFailed';
}
