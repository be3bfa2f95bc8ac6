import { EmbedderAnswerUnusable, EmbedderRefused, EmbedderUnavailable } from './embedder.errors';

/** How long an endpoint may take to answer for the first time: some load their model on the first request. */
const FIRST_ANSWER_MS = 30_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Asks an endpoint for one vector and returns its dimension.
 * @throws the errors of an embedder
 */
export const probeDimension = async (endpoint: string, model: string, apiKey: string | null): Promise<number> => {
  const answer = await fetch(endpoint, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(FIRST_ANSWER_MS),
    headers: {
      'content-type': 'application/json',
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input: ['Acervo'], encoding_format: 'float' }),
  }).catch(() => {
    throw new EmbedderUnavailable('no connection');
  });
  if (!answer.ok)
    throw answer.status < 500 ? new EmbedderRefused(answer.status) : new EmbedderUnavailable(`status ${answer.status}`);
  const body: unknown = await answer.json().catch(() => undefined);
  const data: unknown = isRecord(body) ? body['data'] : undefined;
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  const embedding: unknown = isRecord(first) ? first['embedding'] : undefined;
  if (!Array.isArray(embedding) || embedding.length === 0) throw new EmbedderAnswerUnusable('it holds no embedding');
  return embedding.length;
};
