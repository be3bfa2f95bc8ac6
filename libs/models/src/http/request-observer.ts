import type { EmbeddingKind } from '../embedder';
import { EmbedderRefused, EmbedderUnavailable } from '../embedder.errors';

export const REQUEST_OUTCOMES = ['ok', 'refused', 'unavailable', 'unusable'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** Called after each request to an embedder, with the seconds that it took. */
export type RequestObserver = (kind: EmbeddingKind, outcome: RequestOutcome, seconds: number) => void;

const outcomeOf = (error: unknown): RequestOutcome => {
  if (error instanceof EmbedderRefused) return 'refused';
  return error instanceof EmbedderUnavailable ? 'unavailable' : 'unusable';
};

/** Runs one request and reports it. @throws what the request throws */
export const observed = async <T>(
  observer: RequestObserver,
  kind: EmbeddingKind,
  request: () => Promise<T>,
): Promise<T> => {
  const began = performance.now();
  const report = (outcome: RequestOutcome): void => observer(kind, outcome, (performance.now() - began) / 1_000);
  try {
    const answer = await request();
    report('ok');
    return answer;
  } catch (error) {
    report(outcomeOf(error));
    throw error;
  }
};
