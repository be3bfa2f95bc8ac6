import { EngineDown } from '@acervo/contracts';
import { exponential, withJitter } from '@acervo/platform-resilience';

const LONGEST_WAIT_MS = 300_000;
const FIRST_WAIT_MS = 500;
/** Wait of a task whose engine was absent: short, so that it starts soon after the engine returns. */
const ENGINE_WAIT_MS = 5_000;

/** Wait before the second try of a task, in milliseconds, where it is not the usual one; it doubles from there. */
export class StageBackoff {
  constructor(readonly firstWaitMs?: number) {}
}

/** Wait after a number of tries: it doubles each time, with jitter. */
export const backoffMs = (attempts: number, firstMs = FIRST_WAIT_MS): number =>
  withJitter(exponential(attempts, firstMs, LONGEST_WAIT_MS));

/** When a failed task is retried, and whether the try counts. A try against an absent engine does not count. */
export const retryOf = (
  error: unknown,
  attempts: number,
  firstMs?: number,
): { readonly retryInMs: number; readonly counts: boolean } =>
  error instanceof EngineDown
    ? { retryInMs: backoffMs(1, firstMs ?? error.waitMs ?? ENGINE_WAIT_MS), counts: false }
    : { retryInMs: backoffMs(attempts, firstMs), counts: true };
