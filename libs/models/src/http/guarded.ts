import type { CircuitBreaker } from '@acervo/platform-resilience';
import { EmbedderPaused, EmbedderUnavailable } from '../embedder.errors';

/** @throws EmbedderPaused without a request while the circuit is open. Only unavailability counts as a failure. */
export const guarded = async <T>(breaker: CircuitBreaker, work: () => Promise<T>): Promise<T> => {
  if (!breaker.admits()) throw new EmbedderPaused();
  try {
    const result = await work();
    breaker.succeeded();
    return result;
  } catch (error) {
    if (error instanceof EmbedderUnavailable) breaker.failed();
    throw error;
  }
};
