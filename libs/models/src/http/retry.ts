import { exponential, retry, withJitter } from '@acervo/platform-resilience';
import { EmbedderUnavailable } from '../embedder.errors';

export interface RetryOptions {
  /** No try starts after this time. */
  readonly budgetMs: number;
  /** Wait before the second try; it doubles from there. */
  readonly firstWaitMs: number;
}

const LONGEST_WAIT_MS = 5_000;

/** Retries unavailable work with growing, jittered waits until the budget is used up. */
export const retried = <T>(
  { budgetMs, firstWaitMs }: RetryOptions,
  work: (leftMs: number) => Promise<T>,
): Promise<T> => {
  const end = performance.now() + budgetMs;
  const waitMs = (failures: number, error: unknown): number | undefined => {
    if (!(error instanceof EmbedderUnavailable)) return undefined;
    const scattered = withJitter(exponential(failures, firstWaitMs));
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(scattered, error.retryAfterMs ?? 0));
    return performance.now() + wait >= end ? undefined : wait;
  };
  return retry(() => work(end - performance.now()), waitMs);
};
