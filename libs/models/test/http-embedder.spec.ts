import fc from 'fast-check';
import { CircuitBreaker } from '@acervo/platform-resilience';
import { until } from '@acervo/platform-testing';
import {
  cosine,
  EmbedderAnswerUnusable,
  EmbedderPaused,
  EmbedderRefused,
  EmbedderUnavailable,
  HASHING,
  HashingEmbedder,
  HttpEmbedder,
  type HttpEmbedderSettings,
} from '../src';
import { batchesOf } from '../src/http/batches';
import { guarded } from '../src/http/guarded';
import { retried } from '../src/http/retry';
import { behavesLikeAnEmbedder } from './embedder.behaviour';
import { EmbeddingsServer, json } from './embeddings-server';

const server = new EmbeddingsServer();
let url: string;
beforeAll(async () => {
  url = await server.open();
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  server.connections.length = 0;
  server.instead.length = 0;
  server.mostBusy = 0;
});

/** Longer than any test: only the limits that a test names end a request. */
const NO_LIMIT_MS = 600_000;

const settings = (over: Partial<HttpEmbedderSettings['query']> = {}): HttpEmbedderSettings['query'] => ({
  ...{ url, timeoutMs: NO_LIMIT_MS, budgetMs: NO_LIMIT_MS, concurrency: 2, prefix: '' },
  ...over,
});
const embedderWith = (over: Partial<HttpEmbedderSettings> = {}): HttpEmbedder =>
  new HttpEmbedder({
    ...{ embeddingModel: HASHING, model: 'small', apiKey: null, inputType: false, encoding: 'base64' },
    ...{ batchTexts: 4, batchCharacters: 1_000, query: settings(), passage: settings() },
    ...over,
  });
const secret = 'the-secret-of-the-cooperative';
const endless = Buffer.from(new Float32Array(384).fill(Infinity).buffer).toString('base64');
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: Error) => error,
  );

behavesLikeAnEmbedder('HTTP', () => Promise.resolve(embedderWith()));
behavesLikeAnEmbedder('HTTP with numbers', () => Promise.resolve(embedderWith({ encoding: 'float' })));

describe('a request of the HTTP embedder', () => {
  it('connections end in turn, with a request that is answered', async () => {
    const embedder = embedderWith();
    const embed = (): Promise<unknown> => embedder.embed(['a'], 'query');
    await embed();
    const now = performance.now();
    // Two connections at most: one ends every 15 s.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 16_000);
    await embed();
    await embed();
    clock.mockReturnValue(now + 32_000);
    await embed();
    clock.mockRestore();
    expect(server.connections).toEqual(['keep-alive', 'close', 'keep-alive', 'close']);
  });

  it('a request sends model, format, bearer key and configured kind', async () => {
    await embedderWith({ apiKey: secret, inputType: true }).embed(['a'], 'query');
    await embedderWith().embed(['a'], 'passage');
    expect(server.asked).toEqual([
      {
        ...{ path: '/v1/embeddings', authorization: `Bearer ${secret}` },
        body: { model: 'small', input: ['a'], encoding_format: 'base64', input_type: 'query' },
      },
      {
        path: '/v1/embeddings',
        authorization: undefined,
        body: expect.not.objectContaining({ input_type: 'passage' }) as object,
      },
    ]);
  });
  it('each text is sent with the prefix of its kind', async () => {
    const embedder = embedderWith({
      query: settings({ prefix: 'query: ' }),
      passage: settings({ prefix: 'passage: ' }),
    });
    await embedder.embed(['a'], 'query');
    await embedder.embed(['b'], 'passage');
    expect(server.asked.flatMap(({ body }) => body.input)).toEqual(['query: a', 'passage: b']);
  });
  it('texts are sent in bounded, concurrent batches; vectors keep their order', async () => {
    const texts = Array.from({ length: 21 }, (_, n) => (n === 5 ? 'x'.repeat(2_000) : `text ${n}`));
    const vectors = await embedderWith().embed(texts, 'passage');
    expect(vectors.map((vector) => cosine(vector, vector))).toEqual(texts.map(() => expect.closeTo(1, 4) as number));
    const expected = await new HashingEmbedder().embed(texts);
    vectors.forEach((vector, index) => expect(cosine(vector, expected[index] as Float32Array)).toBeCloseTo(1, 4));
    expect(Math.max(...server.asked.map(({ body }) => body.input.length))).toBe(4);
    expect(server.mostBusy).toBeLessThanOrEqual(2);
  });
  it('a query is answered while passages wait', async () => {
    const embedder = embedderWith({ batchTexts: 1, passage: settings({ concurrency: 1 }) });
    let release = (): void => undefined;
    server.instead.push(async (response, asked) => {
      await new Promise<void>((resolve) => (release = resolve));
      json(response, 200, await server.embeddings(asked));
    });
    const passages = embedder.embed(['p', 'q', 'r'], 'passage');
    await until('a passage is embedded', () => server.asked.length === 1);
    await embedder.embed(['query'], 'query');
    expect(server.asked.map(({ body }) => body.input[0])).toEqual(['p', 'query']);
    release();
    expect(await passages).toHaveLength(3);
  });
});

describe('an embedder over HTTP that fails', () => {
  it.each([429, 500, 503])('a request with status %i is retried', async (status) => {
    server.instead.push(
      (response) => json(response, status, {}),
      (response) => json(response, status, {}),
    );
    expect(await embedderWith().embed(['a'], 'passage')).toHaveLength(1);
    expect(server.asked).toHaveLength(3);
  });
  it('a request with a broken connection is retried', async () => {
    server.instead.push((response) => void response.destroy());
    expect(await embedderWith().embed(['a'], 'passage')).toHaveLength(1);
  });
  it('a retry waits as long as the server requests', async () => {
    server.instead.push((response) => json(response, 429, {}, { 'retry-after': '1' }));
    const started = performance.now();
    await embedderWith().embed(['a'], 'passage');
    expect(performance.now() - started).toBeGreaterThan(950);
  });
  it('a server that never answers is given up in time', async () => {
    const silent: { destroy(): unknown }[] = [];
    for (let turn = 0; turn < 9; turn += 1) server.instead.push((response) => void silent.push(response));
    const embedder = embedderWith({ query: settings({ timeoutMs: 150, budgetMs: 500 }) });
    expect(await failure(embedder.embed(['a'], 'query'))).toBeInstanceOf(EmbedderUnavailable);
    for (const response of silent) response.destroy();
  });
  it('no attempt begins after the budget of its request', async () => {
    jest.useFakeTimers();
    const left: number[] = [];
    const work = async (leftMs: number): Promise<never> => {
      left.push(leftMs);
      await new Promise((resolve) => setTimeout(resolve, 150));
      throw new EmbedderUnavailable('test');
    };
    const failed = failure(retried({ budgetMs: 1_000, firstWaitMs: 50 }, work));
    await jest.advanceTimersByTimeAsync(60_000);
    jest.useRealTimers();
    expect(await failed).toBeInstanceOf(EmbedderUnavailable);
    expect([left.length > 1, left[0]]).toEqual([true, 1_000]);
    expect(left.filter((ms) => ms <= 0)).toEqual([]);
  });
  it('a permanent failure is not retried', async () => {
    server.instead.push((response) => json(response, 401, { error: `wrong key ${secret}` }));
    expect(await failure(embedderWith({ apiKey: secret }).embed(['a'], 'passage'))).toBeInstanceOf(EmbedderRefused);
    expect(server.asked).toHaveLength(1);
  });
  it('no further batch starts after a failed one', async () => {
    const embedder = embedderWith({ batchTexts: 1, passage: settings({ concurrency: 1 }) });
    server.instead.push((response) => json(response, 400, {}));
    expect(await failure(embedder.embed(['a', 'b', 'c'], 'passage'))).toBeInstanceOf(EmbedderRefused);
    expect(server.asked).toHaveLength(1);
  });
  it.each([
    ['vectors of another dimension', { data: [{ index: 0, embedding: [1, 2, 3] }] }],
    ['too few vectors', { data: [] }],
    ['one vector twice', { data: [{ index: 1, embedding: Array(384).fill(1) }] }],
    ['no numbers', { data: [{ index: 0, embedding: Array(384).fill('x') }] }],
    ['no finite numbers', { data: [{ index: 0, embedding: endless }] }],
    ['something else', { result: 1 }],
  ])('an answer with %s is rejected', async (_what, body) => {
    server.instead.push((response) => json(response, 200, body));
    expect(await failure(embedderWith().embed(['a'], 'passage'))).toBeInstanceOf(EmbedderAnswerUnusable);
  });
  it('a failure message contains neither texts nor keys', async () => {
    const answers = [400, 401, 500].map(
      (status) => (response: Parameters<typeof json>[0]) => json(response, status, { secret }),
    );
    for (const answer of answers) {
      for (let turn = 0; turn < 9; turn += 1) server.instead.push(answer);
      const embedder = embedderWith({ apiKey: secret, passage: settings({ budgetMs: 200 }) });
      const error = await failure(embedder.embed([`a ${secret}`], 'passage'));
      expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(secret);
      server.instead.length = 0;
    }
  });
});

describe('the breaker', () => {
  it('the breaker opens after failures and closes after one successful probe', async () => {
    let now = 0;
    let [asked, down] = [0, true];
    const breaker = new CircuitBreaker({ failures: 3, openMs: 1_000, probeMs: 1_000, now: () => now });
    const ask = () =>
      guarded(breaker, () => {
        asked += 1;
        return down ? Promise.reject(new EmbedderUnavailable('test')) : Promise.resolve('answer');
      });
    for (let turn = 0; turn < 3; turn += 1) expect(await failure(ask())).toBeInstanceOf(EmbedderUnavailable);
    expect(await failure(ask())).toBeInstanceOf(EmbedderPaused);
    expect(asked).toBe(3);
    now = 1_001;
    expect(await failure(ask())).toBeInstanceOf(EmbedderUnavailable);
    expect(await failure(ask())).toBeInstanceOf(EmbedderPaused);
    [now, down] = [2_500, false];
    expect(await ask()).toBe('answer');
    expect(await ask()).toBe('answer');
  });
});

describe('batches', () => {
  it('batches contain every text once, within both limits if possible', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 })),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 60 }),
        (texts, most, size) => {
          const batches = batchesOf(texts, most, size);
          expect(batches.flat()).toEqual(texts);
          for (const batch of batches) {
            expect(batch.length).toBeLessThanOrEqual(most);
            if (batch.length > 1) expect(batch.join('').length).toBeLessThanOrEqual(size);
          }
        },
      ),
    );
  });
});

describe('an observed embedder over HTTP', () => {
  it('each request is reported with its outcome, retries too', async () => {
    const seen: string[] = [];
    const { query, passage } = { query: settings(), passage: settings() };
    const endpoint: HttpEmbedderSettings = {
      ...{ embeddingModel: HASHING, model: 'small', apiKey: null, inputType: false, encoding: 'base64' },
      ...{ batchTexts: 4, batchCharacters: 1_000, query, passage },
    };
    const embedder = new HttpEmbedder(endpoint, (kind, outcome) => void seen.push(`${kind} ${outcome}`));
    server.instead.push((response) => json(response, 503, {}));
    await embedder.embed(['a'], 'query');
    server.instead.push((response) => json(response, 401, {}));
    await failure(embedder.embed(['b'], 'passage'));
    server.instead.push((response) => json(response, 200, { nonsense: true }));
    await failure(embedder.embed(['c'], 'passage'));
    expect(seen).toEqual(['query unavailable', 'query ok', 'passage refused', 'passage unusable']);
  });
  it('the load of an endpoint names waiting requests and an open circuit', async () => {
    const embedder = embedderWith({ batchTexts: 1, passage: settings({ concurrency: 1 }) });
    let release = (): void => undefined;
    server.instead.push(async (response, asked) => {
      await new Promise<void>((resolve) => (release = resolve));
      json(response, 200, await server.embeddings(asked));
    });
    const all = ['p', 'q', 'r'].map((text) => embedder.embed([text], 'passage'));
    await until('a passage is embedded', () => server.asked.length === 1);
    expect(embedder.load('passage')).toEqual({ waiting: 2, isPaused: false });
    release();
    await Promise.all(all);
    const failing = embedderWith({ query: settings({ budgetMs: 1 }) });
    for (let turn = 0; turn < 5; turn += 1) {
      server.instead.push((response) => json(response, 503, {}));
      await failure(failing.embed(['q'], 'query'));
    }
    expect([failing.load('query').isPaused, failing.load('passage').isPaused]).toEqual([true, false]);
  });
});
