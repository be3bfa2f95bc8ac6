import { E5, EARLIER_E5, type Embedder, Embedders, type EmbeddingSettings, EmbedderUnavailable } from '../src';
import { EmbeddingsServer } from './embeddings-server';

describe('an embedding index of an earlier e5', () => {
  const server = new EmbeddingsServer();
  let url = '';
  beforeAll(async () => (url = await server.open()));
  afterAll(() => server.close());

  const earlier = (embedderUrl: string | null): Embedder | undefined => {
    const settings: EmbeddingSettings = {
      ...{ embedder: 'e5', embedderUrl, embedderQueryUrl: null, embedderKey: null, embedderModel: null },
      ...{ embedderRevision: '1', embedderDimension: 384, embedderFloor: 0, embedderTelling: 'none' },
      ...{ embedderQueryPrefix: '', embedderPassagePrefix: '', embedderEncoding: 'float' },
      ...{ embedderBatch: 4, embedderBatchCharacters: 1_000, embedderConcurrency: 1, embedderTimeoutMs: 1_000 },
      ...{ embedderQueryTimeoutMs: 1_000, embedderBefore: null, embedderBeforeKey: null },
    };
    return Embedders.from(settings).of(EARLIER_E5);
  };

  it('is asked with questions of the current e5', async () => {
    expect(await earlier(url)?.embed(['agua'], 'query')).toHaveLength(1);
    expect(server.asked.at(-1)?.body).toMatchObject({ model: E5.model, input: ['agua'], input_type: 'query' });
  });
  it('gets no passages of the current e5', async () => {
    await expect(earlier(url)?.embed(['agua'], 'passage')).rejects.toBeInstanceOf(EmbedderUnavailable);
  });
  it('is not searched by meaning while e5 is away', () => {
    expect(earlier(null)).toBeUndefined();
  });
});
