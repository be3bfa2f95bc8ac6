import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@acervo/platform-testing';
import { type EmbeddingKind, EmbedderUnavailable, HashingEmbedder } from '../src';
import { embeddingsServer, type ServedEmbedder } from '../src/e5/server/embeddings-server';

describe('the OpenAI embeddings API', () => {
  const hashing = new HashingEmbedder();
  const asked: { texts: readonly string[]; kind: EmbeddingKind; signal: AbortSignal }[] = [];
  let failing: Error | undefined;
  let never = false;
  const embedder: ServedEmbedder = {
    model: 'small',
    isHealthy: true,
    encode: async (texts, kind, signal) => {
      asked.push({ texts, kind, signal });
      if (failing !== undefined) throw failing;
      if (never) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      return (await hashing.embed(texts)).map((vector) => ({ vector, tokens: 5 }));
    },
  };
  let [server, url]: [Server | undefined, string] = [undefined, ''];

  beforeAll(async () => {
    const opened = embeddingsServer(embedder);
    await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
    server = opened;
  });
  beforeEach(() => {
    asked.length = 0;
    [failing, never] = [undefined, false];
  });
  afterAll(() => server?.close());

  const ask = async (body: string): Promise<{ status: number; retryAfter: string | null; json: unknown }> => {
    const answer = await fetch(`${url}/v1/embeddings`, { method: 'POST', body });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), json: await answer.json() };
  };

  it('one text gives one vector, as numbers or in base64', async () => {
    const [expected] = await hashing.embed(['agua']);
    const numbers = await ask('{"input":"agua"}');
    expect(numbers.json).toEqual({
      ...{ object: 'list', model: 'small', usage: { prompt_tokens: 5, total_tokens: 5 } },
      data: [{ object: 'embedding', index: 0, embedding: [...(expected ?? [])] }],
    });
    const packed = await ask('{"input":["agua"],"encoding_format":"base64"}');
    const bytes = Buffer.from((packed.json as { data: { embedding: string }[] }).data[0]?.embedding ?? '', 'base64');
    expect(bytes.readFloatLE(4)).toBe(expected?.[1]);
  });
  it.each([
    ['{"input":"a"}', 'passage'],
    ['{"input":"a","input_type":"query"}', 'query'],
    ['{"input":"a","input_type":"document","model":"e5-query"}', 'passage'],
    ['{"input":"a","model":"e5-query"}', 'query'],
  ])('%s asks for a %s', async (body, kind) => {
    await ask(body);
    expect(asked.map((each) => each.kind)).toEqual([kind]);
  });
  it.each([
    'no JSON',
    '[]',
    '{}',
    '{"input":[]}',
    '{"input":[1]}',
    '{"input":"a","input_type":"letter"}',
    '{"input":"a","encoding_format":"hex"}',
    '{"input":"a","dimensions":12}',
  ])('%s is refused and not embedded', async (body) => {
    expect([(await ask(body)).status, asked]).toEqual([400, []]);
  });
  it('a body beyond the limit is refused', async () => {
    expect((await ask(JSON.stringify({ input: 'x'.repeat(9_000_000) }))).status).toBe(413);
  });
  it('a busy embedder is asked again after a pause', async () => {
    failing = new EmbedderUnavailable('full', 1_500);
    expect(await ask('{"input":"a"}')).toMatchObject({ status: 503, retryAfter: '2' });
  });
  it('a failure hides its cause', async () => {
    failing = new Error('secret');
    const { status, json } = await ask('{"input":"a"}');
    expect([status, JSON.stringify(json).includes('secret')]).toEqual([500, false]);
  });
  it('a client that hangs up gives its texts up', async () => {
    never = true;
    const client = new AbortController();
    const request = fetch(`${url}/v1/embeddings`, { method: 'POST', body: '{"input":"a"}', signal: client.signal });
    const lost = expect(request).rejects.toThrow();
    await until('the embedder has the text', () => asked.length > 0);
    client.abort();
    await lost;
    await new Promise<void>((resolve) => {
      if (asked[0]?.signal.aborted === true) resolve();
      else asked[0]?.signal.addEventListener('abort', () => resolve());
    });
    expect(asked[0]?.signal.aborted).toBe(true);
  });
  it('health says whether a thread hangs', async () => {
    expect((await fetch(`${url}/health`)).status).toBe(200);
    Object.assign(embedder, { isHealthy: false });
    expect((await fetch(`${url}/health`)).status).toBe(503);
    expect((await fetch(`${url}/v1/models`)).status).toBe(200);
    expect((await fetch(`${url}/v1/else`)).status).toBe(404);
  });
});
