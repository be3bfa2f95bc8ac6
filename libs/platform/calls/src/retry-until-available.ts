import { DomainError } from '@acervo/contracts';
import { exponential, pause } from '@acervo/platform-resilience';

const TRIES = 16;
const LONGEST_MS = 30_000;
/** A restarted service is back after a second or two, on a busy machine after many. */
const waitAfter = (tries: number): number => exponential(Math.max(1, tries - 4), 1_000, LONGEST_MS);

export interface RetryOptions {
  /** Whether the result is no longer wanted: the next failure is then the last. */
  readonly stopped?: () => boolean;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'INTERNAL_ERROR';

/**
 * Repeats work while an engine or a service is away, for some minutes; a domain error is final.
 * @throws the error of the last try
 */
export const retryUntilAvailable = async <T>(
  work: () => Promise<T>,
  { stopped = () => false, wait = pause }: RetryOptions = {},
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= TRIES || stopped() || isRefusal(error)) throw error;
      for (let left = waitAfter(tries); left > 0 && !stopped(); left -= 1_000) await wait(Math.min(left, 1_000));
    }
  }
};
