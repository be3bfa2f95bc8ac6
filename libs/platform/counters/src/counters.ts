/** At most `most` within any `seconds`. */
export interface Limit {
  readonly most: number;
  readonly seconds: number;
}

/** The result of `take`. */
export interface Counted {
  readonly admitted: boolean;
  /** Seconds until the next is admitted; 0 when this one was. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts events with a limit: attempts, requests. Every method rejects when it cannot count, and callers let the error
 * through: without a count, the request fails.
 */
export abstract class Counters {
  /** Counts one more under a name unless the limit is reached. Concurrent calls never exceed the limit together. */
  abstract take(name: string, limit: Limit): Promise<Counted>;

  /** Removes the latest count: the attempt was valid. */
  abstract giveBack(name: string): Promise<void>;

  /** Deletes counts that no limit needs any longer. */
  abstract prune(): Promise<void>;
}
