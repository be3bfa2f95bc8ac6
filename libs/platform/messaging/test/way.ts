import type { Logger } from '@acervo/platform-observability';
import type { TestDatabase } from '@acervo/platform-testing';

/** One of the ways that events can go, with two relays. */
export interface Way {
  /** Each moves what one relay may move now. */
  readonly moves: readonly (() => Promise<unknown>)[];
  /** Resolves when everything that was published has arrived in the incoming of its subscribers. */
  deliver(): Promise<void>;
  close(): Promise<void>;
}

export type OpenWay = (server: TestDatabase, logger: Logger) => Promise<Way>;
