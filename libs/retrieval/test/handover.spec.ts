import { randomUUID } from 'node:crypto';
import { DocumentIndexed, revive } from '@acervo/contracts';
import { Database, ownerRole, type Partition, Provisioner } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { BucketKeeper } from '../src/buckets/bucket-keeper';
import { NoCopies } from '../src/legs/opensearch/copies/chunk-copies';
import { ChunkStore } from '../src/handover/chunk.store';
import {
  announce,
  handOver,
  indexed,
  interruptedAt,
  liveGeneration,
  prepare,
  ReadsAndThen,
  userScope,
  withdraw,
} from './documents';
import { engineWithoutTime } from './slices';
import { openRetrieval, type Retrieval } from './support';

const groupId = randomUUID();
const texts = Array.from({ length: 20 }, (_, index) => `Párrafo ${index} sobre la captación de agua.`);
const whole = { chunks: 20, vectors: 20 };
let retrieval: Retrieval;

beforeAll(async () => {
  retrieval = await openRetrieval();
});
afterAll(() => retrieval.close());

const published = async (documentId: string): Promise<{ topic: string; payload: object }[]> => {
  const rows = await retrieval.db.asOwner(
    'retrieval',
    'select topic, payload from retrieval.outbox where event_key = $1 order by id',
    [documentId],
  );
  return rows.map(({ topic, payload }) => ({ topic: String(topic), payload: Object(payload) as object }));
};

describe('a hand-over', () => {
  it('a hand-over loads both legs, goes live and is published', async () => {
    const { documentId } = await handOver(retrieval, { groupId, texts, revision: 7, generation: 3 });
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 3: whole });
    expect(await liveGeneration(retrieval, groupId, documentId)).toBe(3);
    const [fact, ...more] = await published(documentId);
    expect(fact?.topic).toBe('document.indexed.v1');
    expect(revive(DocumentIndexed, fact?.payload)).toEqual({
      ...{ documentId, revision: 7, generation: 3, chunkCount: 20, hasVectors: true },
    });
    expect(more).toEqual([]);
  });

  it('a hand-over signals the purge only when an earlier generation remains', async () => {
    const notified = (): number => retrieval.notified.filter((stage) => stage === 'purge').length;
    const before = notified();
    const { documentId } = await handOver(retrieval, { groupId, texts });
    expect(notified()).toBe(before);
    expect(await retrieval.work(groupId, 'purge')).toBe(0);
    await handOver(retrieval, { groupId, documentId, texts, revision: 2, generation: 2 });
    expect(notified()).toBe(before + 1);
    expect(await retrieval.work(groupId, 'purge')).toBe(1);
  });

  it('an interrupted hand-over is not searched, and its repetition duplicates no chunk', async () => {
    const fact = await handOver(retrieval, { groupId, texts }, { failpoints: interruptedAt(1) });
    const { documentId } = fact;
    // How much a slice takes depends on the engine.
    expect((await indexed(retrieval, groupId, documentId))[1]?.chunks).toBeGreaterThan(0);
    expect(await liveGeneration(retrieval, groupId, documentId)).toBeUndefined();
    expect(await published(documentId)).toEqual([]);
    expect(await retrieval.work(groupId, 'index')).toBe(1);
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: whole });
    expect(await liveGeneration(retrieval, groupId, documentId)).toBe(1);
    expect(await published(documentId)).toHaveLength(1);
  });

  it('a hand-over that is announced twice is one task', async () => {
    const fact = await prepare(retrieval, { groupId, texts });
    await announce(retrieval, groupId, fact);
    await announce(retrieval, groupId, fact);
    expect(await retrieval.work(groupId, 'index')).toBe(1);
    expect(await indexed(retrieval, groupId, fact.documentId)).toEqual({ 1: whole });
  });

  it('an older generation never replaces a newer one', async () => {
    const documentId = randomUUID();
    await handOver(retrieval, { groupId, documentId, texts, revision: 2, generation: 2 });
    await handOver(retrieval, { groupId, documentId, texts, revision: 1, generation: 1 });
    expect(await liveGeneration(retrieval, groupId, documentId)).toBe(2);
    expect(await published(documentId)).toMatchObject([{ payload: { generation: 2 } }]);
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 2: whole });
  });

  it('a rebuild replaces every chunk while the document stays searchable', async () => {
    const fact = await handOver(retrieval, { groupId, texts });
    const { documentId } = fact;
    const change = (sql: string): Promise<unknown> =>
      retrieval.database.write({ groupId }, (tx) => tx.query(sql, [groupId, documentId]));
    const ofDocument = 'group_id = $1 and document_id = $2';
    await change(`delete from retrieval.chunk where ${ofDocument} and ordinal in (0, 9, 19)`);
    await change(`update retrieval.chunk set text = 'Estropeado.' where ${ofDocument} and ordinal = 3`);
    await change(`delete from retrieval.vector_384 where ${ofDocument} and ordinal < 12`);
    await change(`update retrieval.chunk set ordinal = 40 where ${ofDocument} and ordinal = 7`);
    await announce(retrieval, groupId, { ...fact, revision: 2, anew: true });
    expect(await retrieval.work(groupId, 'index', { failpoints: interruptedAt(2) })).toBe(1);
    expect(await liveGeneration(retrieval, groupId, documentId)).toBe(1);
    expect(await retrieval.work(groupId, 'index')).toBe(1);
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: whole });
    const rows = await retrieval.database.read({ groupId }, (tx) =>
      tx.query(`select text from retrieval.chunk where ${ofDocument} order by ordinal`, [groupId, documentId]),
    );
    expect(rows.map(({ text }) => text)).toEqual(texts);
  });

  it('searches find nothing while the first hand-over creates its partitions', async () => {
    const newGroup = randomUUID();
    const found: number[] = [];
    class AskedMeanwhile extends Provisioner {
      override async ensurePartition(partition: Partition): Promise<void> {
        const request = { query: 'captación', limit: 10, minSimilarity: 0 };
        const { documents } = await retrieval.searchWith().search(userScope(newGroup), request);
        found.push(documents.length);
        return super.ensurePartition(partition);
      }
    }
    const provisioner = new AskedMeanwhile(retrieval.db.connection(ownerRole('retrieval')));
    const buckets = new BucketKeeper(provisioner, retrieval.database, new NoCopies());
    const { documentId } = await handOver(retrieval, { groupId: newGroup, texts }, { buckets });
    await provisioner.close();
    expect(found).toEqual([0, 0]);
    expect(await liveGeneration(retrieval, newGroup, documentId)).toBe(1);
  });

  it('a hand-over of a withdrawn document does not restore it', async () => {
    const documentId = randomUUID();
    await withdraw(retrieval, groupId, documentId, 2);
    await handOver(retrieval, { groupId, documentId, texts, revision: 1 });
    expect(await liveGeneration(retrieval, groupId, documentId)).toBeUndefined();
    expect(await published(documentId)).toEqual([]);
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({});
  });

  it('a document purged during its hand-over leaves no rows', async () => {
    const documentId = randomUUID();
    const prepared = new ReadsAndThen(retrieval.objects, async () => {
      await withdraw(retrieval, groupId, documentId, 2);
      await retrieval.work(groupId, 'purge');
    });
    await handOver(retrieval, { groupId, documentId, texts, revision: 1 }, { prepared });
    expect(await liveGeneration(retrieval, groupId, documentId)).toBeUndefined();
    expect(await indexed(retrieval, groupId, documentId)).toEqual({});
  });

  it('a hand-over that fails for good leaves its batch intact', async () => {
    const broken = await prepare(retrieval, { groupId, texts });
    await retrieval.objects.put({ groupId }, String(broken.vectorsObject), Buffer.alloc(4));
    const good = await prepare(retrieval, { groupId, texts });
    await announce(retrieval, groupId, broken);
    await announce(retrieval, groupId, good);
    await retrieval.work(groupId, 'index');
    expect(await liveGeneration(retrieval, groupId, good.documentId)).toBe(1);
    for (let attempt = 2; attempt <= 6; attempt += 1) expect(await retrieval.work(groupId, 'index')).toBe(1);
    expect(await retrieval.work(groupId, 'index')).toBe(0);
    expect(await published(broken.documentId)).toMatchObject([{ topic: 'document.indexing_failed.v1' }]);
    expect(await liveGeneration(retrieval, groupId, broken.documentId)).toBeUndefined();
  });

  it('a hand-over without objects is given up at once and published', async () => {
    const gone = await prepare(retrieval, { groupId, texts });
    const good = await prepare(retrieval, { groupId, texts });
    await retrieval.objects.delete({ groupId }, gone.chunksObject);
    await announce(retrieval, groupId, gone);
    await announce(retrieval, groupId, good);
    await retrieval.work(groupId, 'index');
    expect(await retrieval.work(groupId, 'index')).toBe(0);
    expect(await liveGeneration(retrieval, groupId, good.documentId)).toBe(1);
    expect(await published(gone.documentId)).toMatchObject([
      { topic: 'document.indexing_failed.v1', payload: { revision: gone.revision, generation: 1 } },
    ]);
    await handOver(retrieval, { groupId, documentId: gone.documentId, texts, revision: 2, generation: 2 });
    expect(await liveGeneration(retrieval, groupId, gone.documentId)).toBe(2);
  });
});

describe('hand-overs of several documents', () => {
  const MANY = 24;
  const announced = async (group: string): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < MANY; index += 1) {
      const fact = await prepare(retrieval, { groupId: group, texts: [`Acta ${index} de la comunidad.`] });
      await announce(retrieval, group, fact);
      ids.push(fact.documentId);
    }
    return ids;
  };

  it('one batch indexes them in few transactions', async () => {
    const group = randomUUID();
    const ids = await announced(group);
    const slices = jest.spyOn(ChunkStore.prototype, 'load');
    const write = jest.spyOn(Database.prototype, 'write');
    engineWithoutTime();
    // Another application, which has learnt no size yet.
    expect(await retrieval.work(group, 'index', {})).toBe(MANY);
    const [loads, writes] = [slices.mock.calls.map(([, , parts]) => parts.length), write.mock.calls.length];
    jest.restoreAllMocks();
    expect(loads).toEqual([8, 16]);
    // Beside the slices: the claim, the bucket and its index, the publication, the statistics.
    expect(writes).toBe(loads.length + 5);
    for (const id of ids) expect(await liveGeneration(retrieval, group, id)).toBe(1);
  });

  it('one that cannot be loaded leaves the others live', async () => {
    const group = randomUUID();
    const ids = await announced(group);
    // The engine refuses this character in a text.
    const broken = await prepare(retrieval, { groupId: group, texts: ['Un byte\u0000 nulo.'] });
    await announce(retrieval, group, broken);
    expect(await retrieval.work(group, 'index')).toBe(MANY + 1);
    for (const id of ids) expect(await liveGeneration(retrieval, group, id)).toBe(1);
    expect(await liveGeneration(retrieval, group, broken.documentId)).toBeUndefined();
    expect(await retrieval.work(group, 'index')).toBe(1);
  });

  it('a batch whose process ends between two slices loses and doubles nothing', async () => {
    const group = randomUUID();
    const ids = await announced(group);
    const failpoints = Failpoints.from('handover.middle:2', () => {
      throw Object.assign(new Error('The process ended.'), { code: 'ECONNRESET' });
    });
    await expect(retrieval.work(group, 'index', { failpoints })).rejects.toThrow('The process ended.');
    expect(await liveGeneration(retrieval, group, ids[0] ?? '')).toBeUndefined();
    await retrieval.database.write({ groupId: group }, (tx) =>
      tx.query(`update retrieval.task set leased_until = now() - interval '1 s' where group_id = $1`, [group]),
    );
    while ((await retrieval.work(group, 'index')) > 0);
    for (const id of ids) {
      expect(await indexed(retrieval, group, id)).toEqual({ 1: { chunks: 1, vectors: 1 } });
      expect(await published(id)).toHaveLength(1);
    }
  });

  it('a withdrawn one and two generations of another share a batch with the rest', async () => {
    const group = randomUUID();
    const ids = await announced(group);
    const [gone = '', changed = ''] = ids;
    await withdraw(retrieval, group, gone, 5);
    const later = await prepare(retrieval, { groupId: group, documentId: changed, texts, revision: 2, generation: 2 });
    await announce(retrieval, group, later);
    expect(await retrieval.work(group, 'index')).toBe(MANY);
    await retrieval.work(group, 'purge');
    expect(await liveGeneration(retrieval, group, gone)).toBeUndefined();
    expect(await indexed(retrieval, group, gone)).toEqual({});
    expect(await liveGeneration(retrieval, group, changed)).toBe(2);
    expect(await indexed(retrieval, group, changed)).toEqual({ 2: whole });
    for (const id of ids.slice(2)) expect(await liveGeneration(retrieval, group, id)).toBe(1);
  });
});
