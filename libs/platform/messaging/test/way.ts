import type { Logger } from '@acervo/platform-observability';
import type { TestDatabase } from '@acervo/platform-testing';

/** One transport of events, with two relays. */
export interface Way {
  /** Each moves the events that one relay may move now. */
  readonly moves: readonly (() => Promise<unknown>)[];
  /** Resolves when all published events are in the `incoming` table of their subscribers. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

export type OpenWay = (server: TestDatabase, logger: Logger) => Promise<Way>;
