/** At most `most` within any `seconds`. */
export interface Limit {
  readonly most: number;
  readonly seconds: number;
}

/** What came of counting one more. */
export interface Counted {
  readonly admitted: boolean;
  /** How long until the next is admitted; 0 for one that was. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts what must not happen too often: guesses, requests. Every method rejects when it cannot count, and whoever asks
 * lets the error through: without a count nothing goes on.
 */
export abstract class Counters {
  /** Counts one more under a name unless the limit is reached. Of any number at the same time no more get through. */
  abstract take(name: string, limit: Limit): Promise<Counted>;

  /** Takes the latest count back: what was counted turned out to be right. */
  abstract giveBack(name: string): Promise<void>;

  /** Drops what no limit looks at any more. */
  abstract prune(): Promise<void>;
}
