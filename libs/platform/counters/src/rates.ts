import type { Counted } from './counters';

/** A steady rate: `perMinute` requests a minute, of which `burst` may come at once. */
export interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

/** One counter that a request is measured by. */
export interface RatedName {
  readonly name: string;
  readonly rate: Rate;
}

/**
 * Limits rates by GCRA: a counter is one timestamp, the time at which its requests so far are used up. `admit` rejects
 * when it cannot count, and callers let the error through: without a count, shared or local, the request fails.
 */
export abstract class Rates {
  /**
   * Admits a request that every counter admits. A counter that refuses is not changed. Concurrent calls never exceed a
   * rate together.
   */
  abstract admit(counters: readonly RatedName[]): Promise<Counted>;

  /** Deletes counters that are the same as absent ones. */
  abstract prune(): Promise<void>;
}

/** The interval of a rate, and how far ahead of the clock a counter may be and still admit, in seconds. */
export const spacingOf = ({ perMinute, burst }: Rate): { readonly every: number; readonly ahead: number } => {
  const every = 60 / perMinute;
  return { every, ahead: every * (burst - 1) };
};

/** Combines the waits of several counters; 0 is an admission. */
export const countedOf = (waits: readonly number[]): Counted => {
  const longest = Math.max(0, ...waits);
  return { admitted: longest === 0, retryAfterSeconds: longest === 0 ? 0 : Math.max(1, Math.ceil(longest)) };
};
