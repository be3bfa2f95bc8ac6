import type { DatabaseConnection } from '@acervo/platform-database';
import type { Notifications } from './notifications';
import type { WaitingSource } from './waiting-figures';

/**
 * Delivers the events of a service from its outbox to its subscribers, and those of others into its `incoming`. An
 * event may arrive twice. Events of one topic, group and key arrive in the order in which they were written.
 */
export abstract class EventTransport {
  /** Starts, and survives outages of the engine behind it. Resolves when events can be sent and received. */
  abstract start(): Promise<void>;
  /** Finishes what it has begun, then stops; without an answer of the engine it stops within seconds. */
  abstract stop(): Promise<void>;
}

/** How a relay reaches the outbox of its service. */
export interface RelayDatabase {
  /** Where the relay role logs in. */
  readonly connection: DatabaseConnection;
  readonly notifications: Notifications;
}

/** A transport through an engine beside the database; `LocalEvents` where there is none. */
export abstract class RemoteEventTransport extends EventTransport {
  /** Whether it is an engine beside the database. */
  abstract readonly remote: boolean;
  /** Figures about events of the service that are not published yet; none where another program publishes them. */
  abstract readonly unpublished: readonly WaitingSource[];
  /** Checks, for some seconds at most, whether the engine can be used. @throws when it never can as configured */
  abstract check(): Promise<void>;
  /** Checks that the engine answers and that events are received. @throws otherwise */
  abstract ping(): Promise<void>;
}

/** No engine: the surrounding program delivers the events of the service. */
export class LocalEvents extends RemoteEventTransport {
  override readonly remote = false;
  override readonly unpublished = [];

  override start(): Promise<void> {
    return Promise.resolve();
  }

  override stop(): Promise<void> {
    return Promise.resolve();
  }

  override check(): Promise<void> {
    return Promise.resolve();
  }

  override ping(): Promise<void> {
    return Promise.resolve();
  }
}
