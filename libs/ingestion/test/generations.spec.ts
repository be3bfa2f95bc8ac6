import { appendFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  documentIndexed,
  type DocumentIndexed,
  ingestionProgress,
  listDocuments,
  registerFolder,
  startRun,
} from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import { IndexAnswersConsumer } from '../src/documents/index-answers.consumer';
import { Bench, newGroup } from './bench';

type JsonObject = Record<string, unknown>;

describe('a generation', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());

  const register = async (groupId: string, path: string): Promise<string> =>
    String((await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' }))['location_code']);
  const scan = (groupId: string, location_code: string) => bench.ask(startRun, groupId, { location_code });
  const ingested = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const root = bench.folder(name, files);
    const location = await register(groupId, root);
    await scan(groupId, location);
    await bench.work(groupId);
    return { groupId, root, location };
  };
  const documents = async (groupId: string): Promise<JsonObject[]> =>
    (await bench.askAs(listDocuments, groupId, {}))['documents'] as JsonObject[];
  const status = async (groupId: string): Promise<unknown> => (await documents(groupId))[0]?.['status'];
  const prepared = async (): Promise<JsonObject[]> =>
    (await bench.published())
      .filter(({ topic }) => topic === 'document.prepared.v1')
      .map(({ payload }) => payload as JsonObject);
  const identified = (fact: JsonObject | undefined) => ({
    documentId: String(fact?.['document_id']),
    revision: Number(fact?.['revision']),
    generation: Number(fact?.['generation']),
  });
  const answer = async (groupId: string, fact: JsonObject | undefined, over: Partial<DocumentIndexed> = {}) => {
    const indexed: DocumentIndexed = { ...identified(fact), chunkCount: 3, hasVectors: true, ...over };
    const scope = new WorkScope(groupId, 'test', documentIndexed.topic);
    await bench.database.write(scope, (tx) =>
      new IndexAnswersConsumer(new Metrics('ingestion')).indexed(scope, tx, [indexed]),
    );
  };

  it('a handed-over generation becomes searchable with the answer of retrieval', async () => {
    const { groupId } = await ingested('answered', { 'a.txt': 'Uno dos tres.' });
    const [fact] = await prepared();
    expect(await status(groupId)).toBe('CHUNKED');
    await answer(groupId, fact);
    expect(await status(groupId)).toBe('VECTORIZED');
    expect(await bench.ask(ingestionProgress, groupId, {})).toMatchObject({ waiting: 0, chunks: 3, failures: [] });
  });

  it('a document whose words alone are live keeps its state and counts as searchable', async () => {
    const { groupId } = await ingested('by-words', { 'a.txt': 'Uno dos tres.' });
    const [fact] = await prepared();
    expect(fact?.['vectors_object']).toBeNull();
    await answer(groupId, fact, { hasVectors: false });
    expect(await status(groupId)).toBe('CHUNKED');
    expect(await bench.ask(ingestionProgress, groupId, {})).toMatchObject({ searchable: 1, chunks: 3 });
    await answer(groupId, fact);
    expect(await status(groupId)).toBe('VECTORIZED');
  });

  it('several answers at once are recorded for each document, in their order', async () => {
    const { groupId } = await ingested('several-answers', { 'a.txt': 'Uno dos tres.', 'b.txt': 'Cuatro cinco.' });
    const answers = (await prepared()).flatMap((fact) =>
      [false, true].map((hasVectors) => ({ ...identified(fact), chunkCount: 3, hasVectors })),
    );
    expect(answers).toHaveLength(4);
    const scope = new WorkScope(groupId, 'test', documentIndexed.topic);
    const consumer = new IndexAnswersConsumer(new Metrics('ingestion'));
    await bench.database.write(scope, (tx) => consumer.indexed(scope, tx, answers));
    const documents = await bench.database.read(scope, (tx) =>
      tx.query('select status, indexed_chunks from ingestion.document where group_id = $1', [groupId]),
    );
    expect(documents).toEqual([1, 2].map(() => ({ status: 'VECTORIZADO', indexed_chunks: 3 })));
  });

  it('a new document is measured from its scan to its being searchable, once', async () => {
    const { groupId } = await ingested('measured', { 'a.txt': 'Uno dos tres.' });
    const [fact] = await prepared();
    const metrics = new Metrics('ingestion');
    const consumer = new IndexAnswersConsumer(metrics);
    const scope = new WorkScope(groupId, 'test', documentIndexed.topic);
    const indexed = { ...identified(fact), chunkCount: 3, hasVectors: true };
    const measured = async (): Promise<string | undefined> =>
      /^acervo_document_searchable_seconds_count.* (\d+)$/m.exec(await metrics.registry.metrics())?.[1];
    await bench.database.write(scope, (tx) => consumer.indexed(scope, tx, [indexed]));
    expect(await measured()).toBe('1');
    await bench.database.write(scope, (tx) =>
      tx.query(`update ingestion.document set status = 'FRAGMENTADO' where group_id = $1`, [groupId]),
    );
    await bench.database.write(scope, (tx) => consumer.indexed(scope, tx, [indexed]));
    expect(await status(groupId)).toBe('VECTORIZED');
    expect(await measured()).toBe('1');
  });

  it('answers about an earlier generation of a changed file are ignored', async () => {
    const { groupId, root, location } = await ingested('changed', { 'a.txt': 'Uno dos tres.' });
    appendFileSync(join(root, 'a.txt'), ' Cuatro.');
    await scan(groupId, location);
    await bench.work(groupId);
    const [first, second] = await prepared();
    expect([first?.['generation'], second?.['generation']]).toEqual([1, 2]);
    expect(second?.['document_id']).toBe(first?.['document_id']);
    await answer(groupId, first);
    await answer(groupId, second, { revision: Number(first?.['revision']) });
    expect(await status(groupId)).toBe('CHUNKED');
    await answer(groupId, second);
    expect(await status(groupId)).toBe('VECTORIZED');
  });

  it('answers of another group or after a withdrawal are ignored', async () => {
    const { groupId, root, location } = await ingested('gone', { 'a.txt': 'Uno.', 'b.txt': 'Dos dos.' });
    const fact = (await prepared()).find(({ name }) => name === 'a.txt');
    await answer(newGroup(), fact);
    expect(await status(groupId)).toBe('CHUNKED');
    unlinkSync(join(root, 'a.txt'));
    expect(await scan(groupId, location)).toMatchObject({ missing: 1 });
    await answer(groupId, fact);
    expect(await status(groupId)).toBe('MISSING');
  });

  it('a moved file keeps its generation without task or extraction', async () => {
    const { groupId, root, location } = await ingested('moved', { 'a.txt': 'Uno dos tres.' });
    const [before] = await documents(groupId);
    await bench.forget();
    renameSync(join(root, 'a.txt'), join(root, 'z.txt'));
    expect(await scan(groupId, location)).toMatchObject({ added: 0, changed: 0, missing: 0 });
    expect([await bench.work(groupId), bench.source.read.length]).toEqual([0, 0]);
    expect(await documents(groupId)).toMatchObject([{ code: before?.['code'], name: 'z.txt' }]);
  });

  it('a file that returns is handed over again without repeated steps', async () => {
    const { groupId, root, location } = await ingested('back', { 'a.txt': 'Uno.', 'b.txt': 'Dos dos.' });
    unlinkSync(join(root, 'a.txt'));
    await scan(groupId, location);
    await bench.forget();
    writeFileSync(join(root, 'a.txt'), 'Uno.');
    await scan(groupId, location);
    await bench.work(groupId);
    expect([bench.source.read.length, bench.cpu.count('embed'), (await prepared()).length]).toEqual([0, 0, 1]);
  });

  it('a document whose text disappears leaves search', async () => {
    const { groupId, root, location } = await ingested('emptied', { 'a.txt': 'Uno.' });
    await bench.forget();
    writeFileSync(join(root, 'a.txt'), '');
    await scan(groupId, location);
    await bench.work(groupId);
    expect(await status(groupId)).toBe('UNSUPPORTED');
    expect(await bench.published()).toMatchObject([{ topic: 'document.withdrawn.v1' }]);
  });

  it('a document of a kind that is no longer supported leaves search', async () => {
    const { groupId, location } = await ingested('unread', { 'a.gif': 'x' });
    await bench.database.write({ groupId }, (tx) =>
      tx.query(
        `update ingestion.document set status = 'VECTORIZADO', handed_over = 1, settings_hash = 'before'
         where group_id = $1`,
        [groupId],
      ),
    );
    await scan(groupId, location);
    expect(await status(groupId)).toBe('UNSUPPORTED');
    expect(await bench.published()).toMatchObject([{ topic: 'document.withdrawn.v1' }]);
  });

  it('two concurrent scans make one generation', async () => {
    const groupId = newGroup();
    const location = await register(groupId, bench.folder('at-once', { 'a.txt': 'Uno.', 'sub/b.txt': 'Dos dos.' }));
    await Promise.all([scan(groupId, location), scan(groupId, location)]);
    expect((await documents(groupId)).map(({ name }) => name).toSorted()).toEqual(['a.txt', 'b.txt']);
  });
});
