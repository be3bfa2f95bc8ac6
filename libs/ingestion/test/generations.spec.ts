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
import { WorkScope } from '@acervo/rbac';
import { IndexAnswersConsumer } from '../src/documents/index-answers.consumer';
import { Bench, newGroup } from './bench';

type Plain = Record<string, unknown>;

describe('a generation', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  }, 60_000);
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());

  const register = async (groupId: string, path: string): Promise<string> =>
    String((await bench.ask(registerFolder, groupId, { path, entity_code: 'E1' }))['location_code']);
  const scan = (groupId: string, location_code: string) => bench.ask(startRun, groupId, { location_code });
  const taken = async (name: string, files: Readonly<Record<string, string>>) => {
    const groupId = newGroup();
    const root = bench.folder(name, files);
    const location = await register(groupId, root);
    await scan(groupId, location);
    await bench.work(groupId);
    return { groupId, root, location };
  };
  const documents = async (groupId: string): Promise<Plain[]> =>
    (await bench.askAs(listDocuments, groupId, {}))['documents'] as Plain[];
  const status = async (groupId: string): Promise<unknown> => (await documents(groupId))[0]?.['status'];
  const prepared = async (): Promise<Plain[]> =>
    (await bench.published())
      .filter(({ topic }) => topic === 'document.prepared.v1')
      .map(({ payload }) => payload as Plain);
  const answer = async (groupId: string, fact: Plain | undefined, over: Partial<DocumentIndexed> = {}) => {
    const indexed: DocumentIndexed = {
      documentId: String(fact?.['document_id']),
      revision: Number(fact?.['revision']),
      generation: Number(fact?.['generation']),
      chunkCount: 3,
      ...over,
    };
    const scope = new WorkScope(groupId, 'test', documentIndexed.topic);
    await bench.database.write(scope, (tx) => new IndexAnswersConsumer().indexed(scope, tx, indexed));
  };

  it('that is handed over becomes searchable when retrieval says so, and progress counts it', async () => {
    const { groupId } = await taken('answered', { 'a.txt': 'Uno dos tres.' });
    const [fact] = await prepared();
    expect(await status(groupId)).toBe('CHUNKED');
    await answer(groupId, fact);
    expect(await status(groupId)).toBe('VECTORIZED');
    expect(await bench.ask(ingestionProgress, groupId, {})).toMatchObject({ waiting: 0, chunks: 3, failures: [] });
  });

  it('of a changed file is the next one, and answers about the one before change nothing', async () => {
    const { groupId, root, location } = await taken('changed', { 'a.txt': 'Uno dos tres.' });
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

  it('answered in another group, or after its withdrawal, stays as it is', async () => {
    const { groupId, root, location } = await taken('gone', { 'a.txt': 'Uno.', 'b.txt': 'Dos dos.' });
    const fact = (await prepared()).find(({ name }) => name === 'a.txt');
    await answer(newGroup(), fact);
    expect(await status(groupId)).toBe('CHUNKED');
    unlinkSync(join(root, 'a.txt'));
    expect(await scan(groupId, location)).toMatchObject({ missing: 1 });
    await answer(groupId, fact);
    expect(await status(groupId)).toBe('MISSING');
  });

  it('of a moved file is the same, with no task and nothing extracted', async () => {
    const { groupId, root, location } = await taken('moved', { 'a.txt': 'Uno dos tres.' });
    const [before] = await documents(groupId);
    await bench.forget();
    renameSync(join(root, 'a.txt'), join(root, 'z.txt'));
    expect(await scan(groupId, location)).toMatchObject({ added: 0, changed: 0, missing: 0 });
    expect([await bench.work(groupId), bench.source.read.length]).toEqual([0, 0]);
    expect(await documents(groupId)).toMatchObject([{ code: before?.['code'], name: 'z.txt' }]);
  });

  it('of a file that comes back is handed over again without being worked on again', async () => {
    const { groupId, root, location } = await taken('back', { 'a.txt': 'Uno.', 'b.txt': 'Dos dos.' });
    unlinkSync(join(root, 'a.txt'));
    await scan(groupId, location);
    await bench.forget();
    writeFileSync(join(root, 'a.txt'), 'Uno.');
    await scan(groupId, location);
    await bench.work(groupId);
    expect([bench.source.read.length, bench.cpu.count('embed'), (await prepared()).length]).toEqual([0, 0, 1]);
  });

  it('that holds nothing to search any more leaves search', async () => {
    const { groupId, root, location } = await taken('emptied', { 'a.txt': 'Uno.' });
    await bench.forget();
    writeFileSync(join(root, 'a.txt'), '');
    await scan(groupId, location);
    await bench.work(groupId);
    expect(await status(groupId)).toBe('UNSUPPORTED');
    expect(await bench.published()).toMatchObject([{ topic: 'document.withdrawn.v1' }]);
  });

  it('of a kind that is no longer read leaves search', async () => {
    const { groupId, location } = await taken('unread', { 'a.xyz': 'x' });
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

  it('is made once by two scans at the same time', async () => {
    const groupId = newGroup();
    const location = await register(groupId, bench.folder('at-once', { 'a.txt': 'Uno.', 'sub/b.txt': 'Dos dos.' }));
    await Promise.all([scan(groupId, location), scan(groupId, location)]);
    expect((await documents(groupId)).map(({ name }) => name).toSorted()).toEqual(['a.txt', 'b.txt']);
  });
});
