import { DomainError } from '@acervo/contracts';
import { exponential, pause, retry } from '@acervo/platform-resilience';

const TRIES = 16;
const LONGEST_MS = 30_000;
/** Time between two looks at whether the result is still wanted. */
const LOOK_MS = 1_000;
/** A restarted service is back after a second or two, on a busy machine after many. */
const waitAfter = (tries: number): number => exponential(Math.max(1, tries - 4), 1_000, LONGEST_MS);

export interface RetryOptions {
  /** Whether the result is no longer wanted: the next failure is then the last. */
  readonly stopped?: () => boolean;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'INTERNAL_ERROR';

/** Waits in steps, until the result is no longer wanted. */
const waitWhileWanted = async (ms: number, { stopped, wait }: Required<RetryOptions>): Promise<void> => {
  for (let left = ms; left > 0 && !stopped(); left -= LOOK_MS) await wait(Math.min(left, LOOK_MS));
};

/**
 * Repeats work while an engine or a service is away, for some minutes; a domain error is final.
 * @throws the error of the last try
 */
export const retryUntilAvailable = <T>(
  work: () => Promise<T>,
  { stopped = () => false, wait = pause }: RetryOptions = {},
): Promise<T> =>
  retry(
    work,
    (tries, error) => (tries >= TRIES || stopped() || isRefusal(error) ? undefined : waitAfter(tries)),
    (ms) => waitWhileWanted(ms, { stopped, wait }),
  );
