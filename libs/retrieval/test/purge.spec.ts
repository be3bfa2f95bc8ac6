import { randomUUID } from 'node:crypto';
import { appRole } from '@acervo/platform-database';
import { FirstNothingAndThen, handOver, held, interruptedAt, liveGeneration, withdraw } from './documents';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
const texts = Array.from({ length: 20 }, (_, index) => `Párrafo ${index} sobre la captación de agua.`);
const whole = { chunks: 20, vectors: 20 };
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
}, 60_000);
afterAll(() => retrieval.close(), 30_000);

describe('the purge', () => {
  it('removes earlier generations', async () => {
    const documentId = randomUUID();
    await handOver(retrieval, { groupId, documentId, texts, revision: 1, generation: 1 });
    await handOver(retrieval, { groupId, documentId, texts, revision: 2, generation: 2 });
    expect(await held(retrieval, groupId, documentId)).toEqual({ 1: whole, 2: whole });
    await retrieval.work(groupId, 'purge');
    expect(await held(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('removes all of a document that was withdrawn', async () => {
    const { documentId } = await handOver(retrieval, { groupId, texts });
    await withdraw(retrieval, groupId, documentId, 2);
    expect(await liveGeneration(retrieval, groupId, documentId)).toBeUndefined();
    await retrieval.work(groupId, 'purge');
    expect(await held(retrieval, groupId, documentId)).toEqual({});
  });

  it('removes nothing of a new generation while it is being loaded', async () => {
    const { documentId } = await handOver(retrieval, { groupId, texts });
    const half = { chunks: 8, vectors: 8 };
    await handOver(
      retrieval,
      { groupId, documentId, texts, revision: 2, generation: 2 },
      { failpoints: interruptedAt(1) },
    );
    await retrieval.work(groupId, 'purge');
    expect(await held(retrieval, groupId, documentId)).toEqual({ 1: whole, 2: half });
    await retrieval.work(groupId, 'index');
    await retrieval.work(groupId, 'purge');
    expect(await held(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('removes what a hand-over left that was given up half loaded', async () => {
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
    expect(await held(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('removes nothing of a first generation that waits or is being worked', async () => {
    const documentId = randomUUID();
    await withdraw(retrieval, groupId, documentId, 1);
    await handOver(retrieval, { groupId, documentId, texts, revision: 2 }, { failpoints: interruptedAt(1) });
    expect(await retrieval.tasks.claim({ groupId }, 'index', 1, 30)).toHaveLength(1);
    await retrieval.work(groupId, 'purge');
    expect(await held(retrieval, groupId, documentId)).toEqual({ 1: { chunks: 8, vectors: 8 } });
  });

  it('misses nothing that is asked for while it ends', async () => {
    const documentId = randomUUID();
    await handOver(retrieval, { groupId, documentId, texts });
    await handOver(retrieval, { groupId, documentId, texts, revision: 2, generation: 2 });
    const purging = new FirstNothingAndThen(retrieval.db.connection(appRole('retrieval')), () =>
      handOver(retrieval, { groupId, documentId, texts, revision: 3, generation: 3 }),
    );
    await retrieval.work(groupId, 'purge', { purging });
    await purging.close();
    expect(await held(retrieval, groupId, documentId)).toEqual({ 3: whole });
  });
});
