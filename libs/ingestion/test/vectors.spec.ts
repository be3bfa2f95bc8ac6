import { buildEmbeddings, embeddingIndexLive, registerFolder, startRun } from '@acervo/contracts';
import { Embedders, type EmbeddingModel, HashingEmbedder } from '@acervo/models';
import { Metrics } from '@acervo/platform-observability';
import { until } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { IndexAnswersConsumer } from '../src/documents/index-answers.consumer';
import { Bench, newGroup } from './bench';
import { Elsewhere } from './elsewhere';

jest.setTimeout(30_000);

interface Prepared {
  readonly document_id: string;
  readonly revision: number;
  readonly generation: number;
  readonly vectors_object: string | null;
  readonly embedding: readonly { readonly model: string }[];
}

describe('the vectors of documents', () => {
  const elsewhere = new Elsewhere();
  let bench: Bench;
  let groupId: string;
  beforeAll(async () => {
    bench = await Bench.open(new Embedders(elsewhere));
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    groupId = newGroup();
    elsewhere.away = false;
    elsewhere.embedded = [];
    elsewhere.answersFrom = Promise.resolve();
    await bench.forget();
  });

  const take = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
    const path = bench.folder(name, files);
    const { location_code } = await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' });
    await bench.ask(startRun, groupId, { location_code: String(location_code) });
    await bench.work(groupId);
  };
  const facts = async (name: string): Promise<Prepared[]> =>
    (await bench.published()).filter(({ topic }) => topic === name).map(({ payload }) => payload as Prepared);
  const prepared = (): Promise<Prepared[]> => facts('document.prepared.v1');
  const embedded = (): Promise<Prepared[]> => facts('document.embedded.v1');
  /** Delivers the event by which retrieval names the embedding index that it searches. */
  const searches = (embeddingModel: EmbeddingModel): Promise<void> =>
    bench.database.write({ groupId }, (tx) =>
      new IndexAnswersConsumer(new Metrics('ingestion')).searched(
        new WorkScope(groupId, 'test', embeddingIndexLive.topic),
        tx,
        embeddingModel,
      ),
    );

  it('equal bytes are embedded once', async () => {
    await take('twice', { 'a.txt': 'El molino de aceite.', 'b.txt': 'El molino de aceite.' });
    expect(elsewhere.embedded).toHaveLength(1);
    expect(await prepared()).toHaveLength(2);
  });

  it('the small documents of a batch and a longer one are embedded at once, so that they can share a request', async () => {
    const small = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.txt`, `El molino ${name}.`]));
    const long = Array.from({ length: 60 }, (_, line) => `${'La acequia mayor riega la huerta. '.repeat(12)}${line}`);
    let release = (): void => undefined;
    elsewhere.answersFrom = new Promise((resolve) => (release = resolve));
    const taken = take('together', { ...small, 'long.txt': long.join('\n\n') });
    await until(
      'the texts of all five wait together',
      () =>
        ['a', 'b', 'c', 'd'].every((name) => elsewhere.embedded.some((text) => text.includes(`molino ${name}.`))) &&
        elsewhere.embedded.some((text) => text.includes('acequia')),
    );
    release();
    await taken;
    expect(await embedded()).toHaveLength(5);
  });

  it('a document is handed over without vectors while the embedder is away', async () => {
    elsewhere.away = true;
    await take('away', { 'a.txt': 'El molino de aceite.' });
    expect(await prepared()).toMatchObject([{ vectors_object: null, embedding: [{ model: 'elsewhere' }] }]);
    elsewhere.away = false;
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.task set not_before = now() where group_id = $1`, [groupId]),
    );
    await bench.work(groupId);
    expect(await embedded()).toMatchObject([{ generation: 1, vectors_object: expect.any(String) as string }]);
    expect(await prepared()).toHaveLength(1);
  });

  it('the searched embedding index is served before the embedder in use', async () => {
    await searches(new HashingEmbedder().embeddingModel);
    await take('both', { 'a.txt': 'El molino de aceite.' });
    const handed = await prepared();
    expect(handed.map(({ embedding }) => embedding[0]?.model)).toEqual(['hashing', 'elsewhere']);
    expect(new Set(handed.map(({ generation }) => generation))).toEqual(new Set([1]));
    expect([bench.source.read.length, bench.cpu.count('chunk')]).toEqual([1, 1]);
  });

  it('vectors follow the words of a document by an event of their own', async () => {
    await take('follows', { 'a.txt': 'El molino de aceite.' });
    const [words] = await prepared();
    const [vectors] = await embedded();
    expect(words).toMatchObject({ vectors_object: null });
    expect(vectors).toMatchObject({ embedding: [{ model: 'elsewhere' }], revision: (words?.revision ?? 0) + 1 });
  });

  it('only documents that lack vectors are embedded again', async () => {
    await take('again', { 'a.txt': 'El molino de aceite.', 'b.txt': 'La acequia mayor.' });
    expect(await bench.ask(buildEmbeddings, groupId, {})).toEqual({ documents: 0 });
    await bench.database.write({ groupId }, (tx) =>
      tx.query(`update ingestion.document set embedding = '{"model": "old"}' where group_id = $1 and name = 'a.txt'`, [
        groupId,
      ]),
    );
    await bench.forget();
    elsewhere.embedded = [];
    expect(await bench.ask(buildEmbeddings, groupId, {})).toEqual({ documents: 1 });
    await bench.work(groupId);
    expect(await prepared()).toMatchObject([{ embedding: [{ model: 'elsewhere' }] }]);
    // This group has embedded them before, so nothing is embedded.
    expect([elsewhere.embedded.length, bench.source.read.length, bench.cpu.count('chunk')]).toEqual([0, 0, 0]);
  });
});
