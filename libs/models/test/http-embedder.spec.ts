import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
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
import { Breaker } from '../src/http/breaker';
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
  server.instead.length = 0;
  server.mostBusy = 0;
});

const lane = (over: Partial<HttpEmbedderSettings['query']> = {}): HttpEmbedderSettings['query'] => ({
  ...{ url, timeoutMs: 2_000, budgetMs: 4_000, concurrency: 2, prefix: '' },
  ...over,
});
const embedderWith = (over: Partial<HttpEmbedderSettings> = {}): HttpEmbedder =>
  new HttpEmbedder({
    ...{ space: HASHING, model: 'small', apiKey: null, inputType: false, encoding: 'base64' },
    ...{ batchTexts: 4, batchCharacters: 1_000, query: lane(), passage: lane() },
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

describe('what is asked over HTTP', () => {
  it('says model and format, the key as a bearer, and which kind a text is, where that is wanted', async () => {
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
  it('puts the prefix of its kind before each text', async () => {
    const embedder = embedderWith({ query: lane({ prefix: 'query: ' }), passage: lane({ prefix: 'passage: ' }) });
    await embedder.embed(['a'], 'query');
    await embedder.embed(['b'], 'passage');
    expect(server.asked.flatMap(({ body }) => body.input)).toEqual(['query: a', 'passage: b']);
  });
  it('is cut into batches by number and by size, a few of them at a time, and put together in order', async () => {
    const texts = Array.from({ length: 21 }, (_, n) => (n === 5 ? 'x'.repeat(2_000) : `text ${n}`));
    const vectors = await embedderWith().embed(texts, 'passage');
    expect(vectors.map((vector) => cosine(vector, vector))).toEqual(texts.map(() => expect.closeTo(1, 4) as number));
    const expected = await new HashingEmbedder().embed(texts);
    vectors.forEach((vector, index) => expect(cosine(vector, expected[index] as Float32Array)).toBeCloseTo(1, 4));
    expect(Math.max(...server.asked.map(({ body }) => body.input.length))).toBe(4);
    expect(server.mostBusy).toBeLessThanOrEqual(2);
  });
  it('lets a query through while passages wait', async () => {
    const embedder = embedderWith({ batchTexts: 1, passage: lane({ concurrency: 1 }) });
    let release = (): void => undefined;
    server.instead.push(async (response, asked) => {
      await new Promise<void>((resolve) => (release = resolve));
      json(response, 200, await server.embeddings(asked));
    });
    const passages = embedder.embed(['p', 'q', 'r'], 'passage');
    await pause(50);
    await embedder.embed(['query'], 'query');
    expect(server.asked.map(({ body }) => body.input[0])).toEqual(['p', 'query']);
    release();
    expect(await passages).toHaveLength(3);
  });
});

describe('an embedder over HTTP that fails', () => {
  it.each([429, 500, 503])('with status %i is asked again', async (status) => {
    server.instead.push(
      (response) => json(response, status, {}),
      (response) => json(response, status, {}),
    );
    expect(await embedderWith().embed(['a'], 'passage')).toHaveLength(1);
    expect(server.asked).toHaveLength(3);
  });
  it('by breaking the connection is asked again', async () => {
    server.instead.push((response) => void response.destroy());
    expect(await embedderWith().embed(['a'], 'passage')).toHaveLength(1);
  });
  it('is left alone for as long as it asks for', async () => {
    server.instead.push((response) => json(response, 429, {}, { 'retry-after': '1' }));
    const started = performance.now();
    await embedderWith().embed(['a'], 'passage');
    expect(performance.now() - started).toBeGreaterThan(950);
  });
  it('is given up when the time is over, even if it never answers', async () => {
    for (let turn = 0; turn < 9; turn += 1)
      server.instead.push((response) => void setTimeout(() => response.destroy(), 900));
    const embedder = embedderWith({ query: lane({ timeoutMs: 150, budgetMs: 500 }) });
    const started = performance.now();
    expect(await failure(embedder.embed(['a'], 'query'))).toBeInstanceOf(EmbedderUnavailable);
    expect(performance.now() - started).toBeLessThan(900);
    await pause(1_000);
  });
  it('for good is not asked twice', async () => {
    server.instead.push((response) => json(response, 401, { error: `wrong key ${secret}` }));
    expect(await failure(embedderWith({ apiKey: secret }).embed(['a'], 'passage'))).toBeInstanceOf(EmbedderRefused);
    expect(server.asked).toHaveLength(1);
  });
  it('begins no further batch after one that failed', async () => {
    const embedder = embedderWith({ batchTexts: 1, passage: lane({ concurrency: 1 }) });
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
  ])('with %s is not believed', async (_what, body) => {
    server.instead.push((response) => json(response, 200, body));
    expect(await failure(embedderWith().embed(['a'], 'passage'))).toBeInstanceOf(EmbedderAnswerUnusable);
  });
  it('says neither texts nor keys', async () => {
    const answers = [400, 401, 500].map(
      (status) => (response: Parameters<typeof json>[0]) => json(response, status, { secret }),
    );
    for (const answer of answers) {
      for (let turn = 0; turn < 9; turn += 1) server.instead.push(answer);
      const embedder = embedderWith({ apiKey: secret, passage: lane({ budgetMs: 200 }) });
      const error = await failure(embedder.embed([`a ${secret}`], 'passage'));
      expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(secret);
      server.instead.length = 0;
    }
  });
});

describe('the breaker', () => {
  it('stops asking after failures in a row, tries once after its pause, and is closed by one success', async () => {
    let now = 0;
    let [asked, down] = [0, true];
    const breaker = new Breaker(3, 1_000, () => now);
    const ask = () =>
      breaker.run(() => {
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
  it('hold every text once, in order, within both limits unless one text alone is larger', () => {
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
