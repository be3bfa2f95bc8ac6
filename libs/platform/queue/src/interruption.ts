import { pause } from '@acervo/platform-resilience';

/** The process ends: the work of a batch was interrupted. It did not fail, and its try does not count. */
export class WorkInterrupted extends Error {
  constructor() {
    super('The process ends; another one goes on with this work.');
    this.name = 'WorkInterrupted';
  }
}

/** Ends work between two of its steps. @throws WorkInterrupted */
export const assertNotInterrupted = (stopping: AbortSignal): void => {
  if (stopping.aborted) throw new WorkInterrupted();
};

/** Work that ends soon is finished: longest that a stage may go on once the process ends. */
const PATIENCE_MS = 3_000;

/**
 * Resolves with the work, or is interrupted some time after `stopping` is aborted. Interrupted work goes on unheeded;
 * the fencing tokens of its leases refuse what it commits then.
 * @throws WorkInterrupted, or what the work throws in time
 */
export const unlessInterrupted = async <T>(
  work: Promise<T>,
  stopping: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const over = new AbortController();
  const interrupted = async (): Promise<never> => {
    await new Promise<void>((resolve) => {
      if (stopping.aborted) return resolve();
      stopping.addEventListener('abort', () => resolve(), { once: true, signal: over.signal });
    });
    await pause(patienceMs, over.signal);
    throw new WorkInterrupted();
  };
  try {
    // The loser of this race is handled: `race` attaches to both.
    return await Promise.race([work, interrupted()]);
  } finally {
    over.abort();
  }
};
