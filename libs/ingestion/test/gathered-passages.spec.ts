import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registerFolder, startRun } from '@acervo/contracts';
import { Embedders, HashingEmbedder } from '@acervo/models';
import { Bench, newGroup } from './bench';

/** The texts of each request that an endpoint answered. */
const requests: (readonly string[])[] = [];

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { input } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { input: readonly string[] };
  requests.push(input);
  const vectors = await new HashingEmbedder().embed(input);
  const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
};

const embeddersAt = (embedderUrl: string): Embedders =>
  Embedders.from({
    ...{ embedder: 'small', embedderUrl, embedderQueryUrl: null, embedderKey: null, embedderModel: 'small' },
    ...{ embedderRevision: '1', embedderDimension: 384, embedderFloor: 0, embedderTelling: 'none' },
    ...{ embedderQueryPrefix: '', embedderPassagePrefix: '', embedderEncoding: 'float' },
    ...{ embedderBatch: 16, embedderBatchCharacters: 8_000, embedderConcurrency: 2, embedderTimeoutMs: 10_000 },
    ...{ embedderQueryTimeoutMs: 1_000, embedderBefore: null, embedderBeforeKey: null },
  });

describe('the passages of many small documents', () => {
  const server = createServer((request, response) => void answer(request, response));
  let bench: Bench;
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    bench = await Bench.open(embeddersAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
  afterAll(async () => {
    await bench.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('share requests to the embedder, each embedded once', async () => {
    const groupId = newGroup();
    const texts = Array.from({ length: 32 }, (_, index) => `Acta número ${index} de la junta de la acequia.`);
    const path = bench.folder('small', Object.fromEntries(texts.map((text, index) => [`${index}.txt`, text])));
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code: String(location_code) });
    await bench.work(groupId);
    expect(requests.flat().toSorted()).toEqual(texts.toSorted());
    expect(requests.length).toBeLessThanOrEqual(8);
  });
});
