import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { EmbeddingKind } from '../../embedder';
import { EmbedderUnavailable } from '../../embedder.errors';
import { vectorBytes } from '../../vectors';
import type { Embedded } from '../session-messages';
import { embeddingsRequest, RequestRefused } from './embeddings-request';

/** What the server needs of an embedder. */
export interface ServedEmbedder {
  readonly model: string;
  encode(texts: readonly string[], kind: EmbeddingKind, signal: AbortSignal): Promise<Embedded[]>;
  readonly isHealthy: boolean;
}

const MOST_BYTES = 8 * 1_024 * 1_024;

type Answer = readonly [status: number, body: object, retryAfterMs?: number | null];

const failure = (message: string, type = 'invalid_request_error'): object => ({ error: { message, type, code: null } });

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new RequestRefused(413, `The body has at most ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const embeddings = async (request: IncomingMessage, embedder: ServedEmbedder, signal: AbortSignal): Promise<Answer> => {
  const { texts, kind, encoding } = embeddingsRequest(await bodyOf(request));
  const embedded = await embedder.encode(texts, kind, signal);
  const written = (vector: Float32Array): string | number[] =>
    encoding === 'base64' ? vectorBytes([vector]).toString('base64') : [...vector];
  const tokens = embedded.reduce((sum, each) => sum + each.tokens, 0);
  return [
    200,
    {
      object: 'list',
      data: embedded.map(({ vector }, index) => ({ object: 'embedding', index, embedding: written(vector) })),
      model: embedder.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
  ];
};

const route = async (request: IncomingMessage, embedder: ServedEmbedder, signal: AbortSignal): Promise<Answer> => {
  const [path] = (request.url ?? '').split('?');
  const isFor = (method: string, ...paths: string[]): boolean =>
    request.method === method && paths.includes(path ?? '');
  if (isFor('POST', '/v1/embeddings', '/embeddings')) return embeddings(request, embedder, signal);
  if (isFor('GET', '/v1/models')) return [200, { object: 'list', data: [{ id: embedder.model, object: 'model' }] }];
  if (isFor('GET', '/health'))
    return embedder.isHealthy ? [200, { status: 'ok' }] : [503, { status: 'a thread hangs or is absent' }];
  return [404, failure('There is no such route.')];
};

const refusal = (error: unknown): Answer => {
  if (error instanceof RequestRefused) return [error.status, failure(error.message)];
  if (error instanceof EmbedderUnavailable)
    return [503, failure('The embedder is busy or restarts; try again.', 'server_error'), error.retryAfterMs];
  return [500, failure('The embedder failed.', 'server_error')];
};

const send = (response: ServerResponse, [status, body, retryAfterMs]: Answer): void => {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfterMs == null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end(JSON.stringify(body));
};

/**
 * The OpenAI embeddings API over an embedder. Texts of all clients share its threads; a client that hangs up gives its
 * texts up.
 */
export const embeddingsServer = (embedder: ServedEmbedder): Server =>
  createServer((request, response) => {
    const givenUp = new AbortController();
    response.once('close', () => givenUp.abort());
    void route(request, embedder, givenUp.signal)
      .catch(refusal)
      .then((answer) => send(response, answer));
  });
