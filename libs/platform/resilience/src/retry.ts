import { pause } from './timeout';

/** Wait before the next try, after so many failed ones and the error of the last; undefined gives up with that error. */
export type RetryPolicy = (failures: number, error: unknown) => number | undefined;

/**
 * Tries work until it succeeds or the policy gives up.
 * @param wait spends the time between two tries, and may end it early
 * @throws what the last try failed with
 */
export const retry = async <T>(
  work: () => Promise<T>,
  policy: RetryPolicy,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<T> => {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = policy(failures, error);
      if (waitMs === undefined) throw error;
      await wait(waitMs);
    }
  }
};

export interface Availability {
  readonly waitMs: (failures: number, error: unknown) => number;
  /** Ends the tries, and a wait at once; the result is no longer wanted. */
  readonly stopped: AbortSignal;
}

/**
 * Tries work until the engine behind it is available, however long that takes.
 * @returns undefined when it was stopped before
 */
export const retryUntilStopped = async <T>(
  work: () => Promise<T>,
  { waitMs, stopped }: Availability,
): Promise<T | undefined> => {
  for (let failures = 1; !stopped.aborted; failures += 1) {
    try {
      return await work();
    } catch (error) {
      await pause(waitMs(failures, error), stopped);
    }
  }
  return undefined;
};
