import { setTimeout as pause } from 'node:timers/promises';
import { EmbedderUnavailable } from '../embedder.errors';

export interface RetryOptions {
  /** No try begins later than this. */
  readonly budgetMs: number;
  /** Wait before the second try; it doubles from there. */
  readonly firstWaitMs: number;
}

const LONGEST_WAIT_MS = 5_000;

/** Tries again what is unavailable, with a growing and scattered wait, as long as the budget lasts. */
export const retried = async <T>(
  { budgetMs, firstWaitMs }: RetryOptions,
  work: (leftMs: number) => Promise<T>,
): Promise<T> => {
  const end = performance.now() + budgetMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(end - performance.now());
    } catch (error) {
      if (!(error instanceof EmbedderUnavailable)) throw error;
      const scattered = firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);
      const wait = Math.min(LONGEST_WAIT_MS, Math.max(scattered, error.retryAfterMs ?? 0));
      if (performance.now() + wait >= end) throw error;
      await pause(wait);
    }
  }
};
