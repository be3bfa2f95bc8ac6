import { randomUUID } from 'node:crypto';
import { DocumentEmbedded, DocumentIndexed, revive, type SearchResult } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import { ChunkStore } from '../src/handover/chunk.store';
import { SimilarityUnavailable } from '../src/search/search.errors';
import {
  announce,
  announceVectors,
  apart,
  type DocumentInput,
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

const texts = Array.from({ length: 40 }, (_, index) => `Párrafo ${index} sobre la captación de agua.`);
const words = { chunks: 40, vectors: 0 };
const whole = { chunks: 40, vectors: 40 };
let retrieval: Retrieval;
let groupId: string;

beforeAll(async () => {
  retrieval = await openRetrieval();
});
beforeEach(() => {
  groupId = randomUUID();
});
afterAll(() => retrieval.close());

const answers = async (documentId: string): Promise<Pick<DocumentIndexed, 'revision' | 'hasVectors'>[]> => {
  const rows = await retrieval.db.asOwner(
    'retrieval',
    `select payload from retrieval.outbox where event_key = $1 and topic = 'document.indexed.v1' order by id`,
    [documentId],
  );
  return rows.map(({ payload }) => {
    const { revision, hasVectors } = revive(DocumentIndexed, Object(payload));
    return { revision, hasVectors };
  });
};

/** Whether each found document is said to be searched by meaning, by its chunks. */
const embeddedIn = ({ documents }: Pick<SearchResult, 'documents'>): (boolean | undefined)[][] =>
  documents.map(({ chunks }) => [...new Set(chunks.map(({ extra }) => extra.embedded))]);

const taken = async (over: Partial<DocumentInput> = {}) => {
  const fact = await prepare(retrieval, { groupId, texts, ...over });
  return { ...apart(fact), fact };
};

/** A document whose words are live, and its vectors. */
const foundByWords = async (): Promise<{ readonly documentId: string; readonly vectors: DocumentEmbedded }> => {
  const { words: handed, vectors } = await taken();
  await announce(retrieval, groupId, handed);
  await retrieval.work(groupId, 'index');
  return { documentId: handed.documentId, vectors };
};

describe('vectors that follow a hand-over', () => {
  it('words are live before their vectors, and their vectors load no word again', async () => {
    const { documentId, vectors } = await foundByWords();
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: words });
    expect(await answers(documentId)).toEqual([{ revision: 1, hasVectors: false }]);
    const found = await retrieval.searchWith().search(userScope(groupId), search());
    expect(found.documents.map(({ maxSimilarity }) => maxSimilarity)).toEqual([null]);
    expect(embeddedIn(found)).toEqual([[false]]);

    await announceVectors(retrieval, groupId, vectors);
    expect(await retrieval.work(groupId, 'index')).toBe(0);
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: whole });
    expect(await answers(documentId)).toEqual([
      { revision: 1, hasVectors: false },
      { revision: 2, hasVectors: true },
    ]);
    const later = await retrieval.searchWith().search(userScope(groupId), search());
    expect(later.documents[0]?.maxSimilarity).toBeGreaterThan(0);
    expect(embeddedIn(later)).toEqual([[true]]);
  });

  it('vectors that come before their words are loaded are loaded with them', async () => {
    const { words: handed, vectors } = await taken();
    await announce(retrieval, groupId, handed);
    await announceVectors(retrieval, groupId, vectors);
    expect(await retrieval.work(groupId, 'index')).toBe(1);
    expect(await retrieval.work(groupId, 'vectors')).toBe(0);
    expect(await indexed(retrieval, groupId, handed.documentId)).toEqual({ 1: whole });
    expect(await answers(handed.documentId)).toEqual([{ revision: 1, hasVectors: true }]);
  });

  it('vectors wait for words that are being loaded', async () => {
    const { words: handed, vectors } = await taken();
    await announce(retrieval, groupId, handed);
    const prepared = new ReadsAndThen(retrieval.objects, async () => {
      await announceVectors(retrieval, groupId, vectors);
      expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    });
    expect(await retrieval.work(groupId, 'index', { prepared })).toBe(1);
    expect(await indexed(retrieval, groupId, handed.documentId)).toEqual({ 1: words });
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    expect(await indexed(retrieval, groupId, handed.documentId)).toEqual({ 1: whole });
  });

  it('vectors whose event overtakes that of their words wait for it', async () => {
    const { words: handed, vectors } = await taken();
    await announceVectors(retrieval, groupId, vectors);
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    await announce(retrieval, groupId, handed);
    expect(await retrieval.work(groupId, 'index')).toBe(1);
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    expect(await indexed(retrieval, groupId, handed.documentId)).toEqual({ 1: whole });
  });

  it('an interrupted load is repeated without a vector twice, and is not complete before', async () => {
    const { documentId, vectors } = await foundByWords();
    await announceVectors(retrieval, groupId, vectors);
    await retrieval.work(groupId, 'vectors', { failpoints: interruptedAt(1) });
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: { chunks: 40, vectors: 16 } });
    expect(await answers(documentId)).toHaveLength(1);
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 1: whole });
    expect(await answers(documentId)).toHaveLength(2);
  });

  it('vectors of an earlier generation are dropped', async () => {
    const { documentId, vectors } = await foundByWords();
    await announceVectors(retrieval, groupId, vectors);
    await handOver(retrieval, { groupId, documentId, texts, revision: 3, generation: 2 });
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({ 2: whole });
    expect(await liveGeneration(retrieval, groupId, documentId)).toBe(2);
    expect(await retrieval.work(groupId, 'vectors')).toBe(0);
  });

  it('a withdrawn document gets no vectors, and none of them stays', async () => {
    const { documentId, vectors } = await foundByWords();
    await announceVectors(retrieval, groupId, vectors);
    await retrieval.work(groupId, 'vectors', { failpoints: interruptedAt(1) });
    await withdraw(retrieval, groupId, documentId, 5);
    expect(await retrieval.work(groupId, 'vectors')).toBe(0);
    await announceVectors(retrieval, groupId, vectors);
    await retrieval.work(groupId, 'vectors');
    await retrieval.work(groupId, 'purge');
    expect(await indexed(retrieval, groupId, documentId)).toEqual({});
  });

  it('words that are handed over again keep their vectors', async () => {
    const { words: handed, vectors } = await taken();
    await announce(retrieval, groupId, handed);
    await retrieval.work(groupId, 'index');
    await announceVectors(retrieval, groupId, vectors);
    await retrieval.work(groupId, 'vectors');
    await announce(retrieval, groupId, Object.assign(handed, { revision: 3 }));
    await retrieval.work(groupId, 'index');
    expect(await answers(handed.documentId)).toEqual([
      { revision: 1, hasVectors: false },
      { revision: 2, hasVectors: true },
      { revision: 3, hasVectors: true },
    ]);
  });
});

describe('vectors of several documents that come together', () => {
  /** Documents that are found by their words, with their vectors announced and some of them changed before. */
  const arrived = async (change: (vectors: readonly DocumentEmbedded[]) => Promise<void> = () => Promise.resolve()) => {
    const found: Awaited<ReturnType<typeof foundByWords>>[] = [];
    for (let count = 0; count < 4; count += 1) found.push(await foundByWords());
    const vectors = found.map((each) => each.vectors);
    await change(vectors);
    await announceVectors(retrieval, groupId, ...vectors);
    return found.map(({ documentId }) => documentId);
  };
  const loaded = async (documentIds: readonly string[]): Promise<number[]> => {
    const counts: number[] = [];
    for (const documentId of documentIds) counts.push((await indexed(retrieval, groupId, documentId))[1]?.vectors ?? 0);
    return counts;
  };

  it('they share transactions', async () => {
    const documentIds = await arrived();
    const slices = jest.spyOn(ChunkStore.prototype, 'loadVectors');
    const transactions = jest.spyOn(Database.prototype, 'write');
    engineWithoutTime();
    // Another application, which has learnt no size yet.
    expect(await retrieval.work(groupId, 'vectors', {})).toBe(4);
    const [loads, writes] = [slices.mock.calls.map(([, , vectors]) => vectors.length), transactions.mock.calls.length];
    jest.restoreAllMocks();
    expect(await loaded(documentIds)).toEqual([40, 40, 40, 40]);
    // Slices that grow from 16 to 64; each document alone would need 3. The claim is a transaction, too.
    expect(loads).toEqual([16, 32, 64, 48]);
    expect(writes).toBe(loads.length + 1);
  });

  it('vectors that do not belong to their chunks fail alone', async () => {
    const documentIds = await arrived(async ([first]) => {
      if (first === undefined) return;
      await retrieval.objects.put({ groupId }, first.vectorsObject, Buffer.alloc(12));
    });
    await retrieval.work(groupId, 'vectors');
    expect(await loaded(documentIds)).toEqual([0, 40, 40, 40]);
  });

  it('vectors that the engine refuses fail alone', async () => {
    const documentIds = await arrived(async ([, second]) => {
      if (second === undefined) return;
      const bytes = Buffer.from(await retrieval.objects.get({ groupId }, second.vectorsObject));
      bytes.writeFloatLE(NaN, 400);
      await retrieval.objects.put({ groupId }, second.vectorsObject, bytes);
    });
    await retrieval.work(groupId, 'vectors');
    expect((await loaded(documentIds)).map((count) => count === 40)).toEqual([true, false, true, true]);
    expect(await answers(documentIds[1] ?? '')).toEqual([{ revision: 1, hasVectors: false }]);
  });

  it('vectors whose object is gone are reported, and the others are loaded', async () => {
    const documentIds = await arrived(([first]) => retrieval.objects.delete({ groupId }, first?.vectorsObject ?? ''));
    await retrieval.work(groupId, 'vectors');
    expect(await loaded(documentIds)).toEqual([0, 40, 40, 40]);
    const failed = await retrieval.db.asOwner(
      'retrieval',
      `select event_key as key from retrieval.outbox where topic = 'document.indexing_failed.v1' and event_key = any($1)`,
      [documentIds],
    );
    expect(failed).toEqual([{ key: documentIds[0] }]);
  });

  it('two vectors of one generation in one batch of events are one task', async () => {
    const { documentId, vectors } = await foundByWords();
    await announceVectors(
      retrieval,
      groupId,
      vectors,
      Object.assign(new DocumentEmbedded(), { ...vectors, revision: 9 }),
    );
    expect(await retrieval.work(groupId, 'vectors')).toBe(1);
    expect(await loaded([documentId])).toEqual([40]);
  });
});

const search = (over: { readonly minSimilarity?: number } = {}) => ({
  ...{ query: 'captación de agua', limit: 10, minSimilarity: 0 },
  ...over,
});

describe('a search while some documents lack vectors', () => {
  it('the best match by words stays first, whatever else has vectors', async () => {
    const { words: handed } = await taken({ name: 'a.txt', texts: ['Estatutos de la comunidad de regantes.'] });
    await announce(retrieval, groupId, handed);
    await retrieval.work(groupId, 'index');
    for (const name of ['b.txt', 'c.txt', 'd.txt'])
      await handOver(retrieval, { groupId, name, texts: [`Acta de la comunidad, ${name}, con otros muchos asuntos.`] });
    const query = 'estatutos de la comunidad de regantes';
    const { documents } = await retrieval.searchWith().search(userScope(groupId), { ...search(), query });
    expect(documents[0]?.code).toBe(handed.code);
  });

  it('a least similarity leaves out what has no vectors, and counts it', async () => {
    const { documentId } = await foundByWords();
    const { code } = await handOver(retrieval, { groupId, texts: ['Captación de agua del canal.'] });
    const { documents } = await retrieval.searchWith().search(userScope(groupId), search({ minSimilarity: 0.01 }));
    expect(documents.map((found) => found.code)).toEqual([code]);
    expect(documentId).not.toBe(code);
    expect(await retrieval.metrics.registry.metrics()).toMatch(
      /^acervo_search_without_similarity_total\{[^}]*\} [1-9]/m,
    );
  });

  it('a least similarity is an error where no document has vectors', async () => {
    await foundByWords();
    await expect(
      retrieval.searchWith().search(userScope(groupId), search({ minSimilarity: 0.01 })),
    ).rejects.toBeInstanceOf(SimilarityUnavailable);
  });
});
