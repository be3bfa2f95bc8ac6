import { randomUUID } from 'node:crypto';
import { appRole } from '@acervo/platform-database';
import { handOver, indexed, interruptedAt, liveGeneration, NothingAndThen, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
const texts = Array.from({ length: 20 }, (_, index) => `Párrafo ${index} sobre la captación de agua.`);
const whole = { chunks: 20, vectors: 20 };
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
});
afterAll(() => retrieval.close());

describe('the purge', () => {
  it('a purge removes earlier generations', async () => {
    const documentId = randomUUID();
    await handOver(retrieval, { groupId, documentId, texts, revision: 1, generation: 1 });
    await handOver(retrieval, { groupId, documentId, texts, revision: 2, generation: 2 });
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: whole, 2: whole });
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('a purge removes every row of a withdrawn document', async () => {
    const { documentId } = await handOver(retrieval, { groupId, texts });
    await withdraw(retrieval, groupId, documentId, 2);
    expect(await liveGeneration(retrieval, groupId, documentId)).toBeUndefined();
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({});
  });

  it('finished work on a document leaves no tasks', async () => {
    const group = randomUUID();
    const documentId = randomUUID();
    for (const version of [1, 2, 3])
      await handOver(retrieval, { groupId: group, documentId, texts, revision: version, generation: version });
    await retrieval.work(group, 'purge');
    await withdraw(retrieval, group, documentId, 4);
    await retrieval.work(group, 'purge');
    const tasks = await retrieval.database.read({ groupId: group }, (tx) =>
      tx.query('select stage from retrieval.task where group_id = $1 and subject_id = $2', [group, documentId]),
    );
    expect(tasks).toEqual([]);
  });

  it('a purge keeps a new generation that is being loaded', async () => {
    const { documentId } = await handOver(retrieval, { groupId, texts });
    const half = { chunks: 8, vectors: 8 };
    await handOver(
      retrieval,
      { groupId, documentId, texts, revision: 2, generation: 2 },
      { failpoints: interruptedAt(1) },
    );
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: whole, 2: half });
    await retrieval.work(groupId, 'index');
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('a purge removes the rest of a half-loaded hand-over', async () => {
    const documentId = randomUUID();
    const first = { groupId, documentId, texts, revision: 1, generation: 1 };
    const { vectorsObject } = await handOver(retrieval, first, { failpoints: interruptedAt(1) });
    await retrieval.objects.put({ groupId }, String(vectorsObject), Buffer.alloc(4));
    await handOver(retrieval, { ...first, revision: 2, generation: 2 });
    await retrieval.work(groupId, 'purge');
    while ((await retrieval.work(groupId, 'index')) > 0);
    const sooner = `update retrieval.task set not_before = now() where group_id = $1 and stage = 'purge'`;
    await retrieval.database.write({ groupId }, (tx) => tx.query(sooner, [groupId]));
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('a purge keeps a first generation that waits or runs', async () => {
    const documentId = randomUUID();
    await withdraw(retrieval, groupId, documentId, 1);
    await handOver(retrieval, { groupId, documentId, texts, revision: 2 }, { failpoints: interruptedAt(1) });
    expect(await retrieval.tasks.claim({ groupId }, 'index', 1, 30)).toHaveLength(1);
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: { chunks: 8, vectors: 8 } });
  });

  it('a request during the end of a purge is not lost', async () => {
    const documentId = randomUUID();
    await handOver(retrieval, { groupId, documentId, texts });
    await handOver(retrieval, { groupId, documentId, texts, revision: 2, generation: 2 });
    const background = new NothingAndThen(retrieval.db.connection(appRole('retrieval')), () =>
      handOver(retrieval, { groupId, documentId, texts, revision: 3, generation: 3 }),
    );
    await retrieval.work(groupId, 'purge', { background });
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 3: whole });
  });
});
