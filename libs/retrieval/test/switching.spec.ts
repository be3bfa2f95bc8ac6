import { randomUUID } from 'node:crypto';
import { Embedder, Embedders, type EmbeddingModel, HashingEmbedder } from '@acervo/models';
import { WriteContext } from '@acervo/platform-calls';
import { announce, handOver, prepare, userScope, withdraw, workScope } from './documents';
import { openRetrieval, type Retrieval } from './support';

/** Another model of the same dimension: its vectors have no meaning for the first one. */
class OtherEmbedder extends Embedder {
  readonly embeddingModel: EmbeddingModel = { model: 'other', revision: '1', dimension: 384, floor: 0.1 };
  private readonly inner = new HashingEmbedder();

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.inner.embed(texts)).map((vector) => vector.toReversed());
  }
}

jest.setTimeout(30_000);

const other = new OtherEmbedder();
const hashing = new HashingEmbedder();

describe('a switch of the embedder', () => {
  let retrieval: Retrieval;
  let groupId: string;
  beforeAll(async () => {
    retrieval = await openRetrieval();
  });
  afterAll(() => retrieval.close());
  beforeEach(() => {
    groupId = randomUUID();
    retrieval.use(new Embedders(hashing));
  });

  const documentOf = (name: string, text: string, documentId: string = randomUUID(), generation = 1, revision = 1) => ({
    ...{ groupId, name, texts: [text], documentId, generation, revision },
  });
  /** Hands over the vectors of the other model, as ingestion does for a searchable document. */
  const embedAgain = async (document: ReturnType<typeof documentOf>): Promise<void> => {
    const revision = document.revision + 1;
    await announce(retrieval, groupId, await prepare({ ...retrieval, embedder: other }, { ...document, revision }));
    await retrieval.work(groupId, 'build');
  };
  const found = async (query: string): Promise<{ name: string; similarity: number | null }[]> => {
    const { documents } = await retrieval
      .searchWith()
      .search(userScope(groupId), { query, limit: 10, minSimilarity: 0 });
    return documents.map(({ name, maxSimilarity }) => ({ name, similarity: maxSimilarity }));
  };
  /** Makes delayed tasks due. */
  const due = (stage: string): Promise<unknown> =>
    retrieval.database.write({ groupId }, (tx) =>
      tx.query(`update retrieval.task set not_before = now() where group_id = $1 and stage = $2`, [groupId, stage]),
    );
  const flip = async (): Promise<number> => {
    await due('flip');
    return retrieval.work(groupId, 'flip');
  };
  const live = () => retrieval.database.read({ groupId }, (tx) => retrieval.embeddingIndexes.live(tx));
  const state = () => retrieval.embeddingIndexHandlers().state(workScope(groupId), {});
  const rows = async (table: string): Promise<Record<string, number>> => {
    const counted = await retrieval.database.read({ groupId }, (tx) =>
      tx.query<{ space_id: number; n: number }>(
        `select space_id, count(*)::int as n from retrieval.${table} where group_id = $1 group by space_id`,
        [groupId],
      ),
    );
    return Object.fromEntries(counted.map(({ space_id, n }) => [space_id, n]));
  };
  const toOther = (): void => retrieval.use(new Embedders(other));

  it('a switch waits for every document, then clears the old index', async () => {
    const [mill, canal] = [
      documentOf('molino.txt', 'El molino de aceite'),
      documentOf('canal.txt', 'La acequia mayor'),
    ];
    await handOver(retrieval, mill);
    await handOver(retrieval, canal);
    toOther();
    await embedAgain(mill);
    await flip();
    expect(await live()).toMatchObject({ model: 'hashing' });
    expect(await state()).toMatchObject({ settled: false, documents: 2, built: 1 });
    expect((await found('acequia'))[0]).toMatchObject({ name: 'canal.txt' });
    await embedAgain(canal);
    await flip();
    expect(await live()).toMatchObject({ model: 'other' });
    expect(await state()).toMatchObject({ settled: true, documents: 2, built: 2 });
    const [first] = await found('acequia mayor');
    expect(first?.name).toBe('canal.txt');
    expect(first?.similarity).toBeGreaterThan(0.5);
    await due('retire');
    await retrieval.work(groupId, 'retire');
    while ((await retrieval.work(groupId, 'purge')) > 0);
    expect([await rows('live'), await rows('chunk'), await rows('vector_384')]).toEqual([{ 2: 2 }, { 2: 2 }, { 2: 2 }]);
  });

  it('vectors of two models with one dimension are never compared', async () => {
    const document = documentOf('molino.txt', 'El molino de aceite');
    await handOver(retrieval, document);
    toOther();
    await embedAgain(document);
    expect(await rows('vector_384')).toEqual({ 1: 1, 2: 1 });
    for (const name of ['hashing', 'other']) {
      expect((await live())?.model).toBe(name);
      const hits = await found('El molino de aceite');
      expect(hits).toEqual([{ name: 'molino.txt', similarity: expect.closeTo(1, 3) as number }]);
      await flip();
    }
  });

  it('a new document is found at once while its vectors are pending', async () => {
    const mill = documentOf('molino.txt', 'El molino de aceite');
    await handOver(retrieval, mill);
    toOther();
    await embedAgain(mill);
    const news = documentOf('nueva.txt', 'La cosecha de almendra');
    await handOver(retrieval, news);
    await flip();
    expect(await live()).toMatchObject({ model: 'hashing' });
    expect((await found('almendra'))[0]?.name).toBe('nueva.txt');
    await embedAgain(news);
    await flip();
    expect(await live()).toMatchObject({ model: 'other' });
    expect((await found('almendra'))[0]?.name).toBe('nueva.txt');
  });

  it('the withdrawal of the last pending document completes a switch', async () => {
    const [mill, canal] = [
      documentOf('molino.txt', 'El molino de aceite'),
      documentOf('canal.txt', 'La acequia mayor'),
    ];
    await handOver(retrieval, mill);
    await handOver(retrieval, canal);
    toOther();
    await embedAgain(mill);
    await flip();
    await withdraw(retrieval, groupId, canal.documentId, 9);
    await flip();
    expect(await live()).toMatchObject({ model: 'other' });
  });

  it('a cancelled switch keeps the old index; a later one resumes', async () => {
    const [mill, canal] = [
      documentOf('molino.txt', 'El molino de aceite'),
      documentOf('canal.txt', 'La acequia mayor'),
    ];
    await handOver(retrieval, mill);
    await handOver(retrieval, canal);
    toOther();
    await embedAgain(mill);
    retrieval.use(new Embedders(hashing));
    const context = { write: (work: never) => retrieval.database.write({ groupId }, work) } as WriteContext;
    expect(await retrieval.embeddingIndexHandlers().aim(workScope(groupId), {}, context)).toMatchObject({
      settled: true,
    });
    await embedAgain(canal);
    await flip();
    expect(await live()).toMatchObject({ model: 'hashing' });
    expect((await found('molino'))[0]?.name).toBe('molino.txt');
    toOther();
    await embedAgain({ ...canal, revision: 5 });
    await embedAgain({ ...mill, revision: 5 });
    await flip();
    expect(await live()).toMatchObject({ model: 'other' });
    expect((await found('molino'))[0]?.name).toBe('molino.txt');
  });

  it('a switch waits while no process can embed its queries', async () => {
    const mill = documentOf('molino.txt', 'El molino de aceite');
    await handOver(retrieval, mill);
    await embedAgain(mill);
    await flip();
    expect(await live()).toMatchObject({ model: 'hashing' });
  });
});

describe('a document whose vectors are still to come', () => {
  it('a document without vectors is found by words, then by meaning', async () => {
    const retrieval = await openRetrieval();
    const groupId = randomUUID();
    const documentId = randomUUID();
    const whole = await prepare(retrieval, { groupId, documentId, name: 'molino.txt', texts: ['El molino de aceite'] });
    const search = async () =>
      (await retrieval.searchWith().search(userScope(groupId), { query: 'molino', limit: 10, minSimilarity: 0 }))
        .documents;
    await announce(retrieval, groupId, { ...whole, vectorsObject: null });
    await retrieval.work(groupId, 'index');
    expect(await search()).toMatchObject([{ name: 'molino.txt', maxSimilarity: null }]);
    await announce(retrieval, groupId, { ...whole, revision: 2 });
    await retrieval.work(groupId, 'index');
    expect((await search())[0]?.maxSimilarity).toBeGreaterThan(0);
    await retrieval.close();
  });
});
