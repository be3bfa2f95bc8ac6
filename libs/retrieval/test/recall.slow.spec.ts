import { randomUUID } from 'node:crypto';
import { visibilityOf } from '@acervo/rbac';
import { vectorTable } from '../src/buckets/bucket';
import type { LoadedChunk } from '../src/handover/chunk.store';
import { PgvectorIndex } from '../src/legs/pgvector-index';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import { described, userScope } from './documents';
import { numbers, often } from './numbers';
import { openRetrieval, type Retrieval } from './support';

const CHUNKS = often(5_000, 50_000);
/** The largest graph for one statement: the engine answers no query meanwhile, and a silent statement is ended. */
const AT_ONCE = 10_000;
const PER_DOCUMENT = 10;
const QUERIES = often(20, 100);
const DIMENSION = 384;
const groupId = randomUUID();
const random = numbers(11);

/** Roughly normal, mean 0. */
const noise = (): number => random() + random() + random() - 1.5;
const normal = (vector: number[]): Float32Array => {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
};
const CENTRES = Array.from({ length: 40 }, () => Array.from({ length: DIMENSION }, noise));
/** A vector near one of the centres, as passages of one subject are. */
const near = (): Float32Array => {
  const centre = CENTRES[Math.floor(random() * CENTRES.length)] ?? [];
  return normal(centre.map((value) => value + noise()));
};

interface Placed {
  readonly documentId: string;
  readonly ordinal: number;
  readonly vector: Float32Array;
}

let retrieval: Retrieval;
let embeddingIndex: LiveEmbeddingIndex;
const inArea: Placed[] = [];

const chunkOf = (ordinal: number, vector: Float32Array): LoadedChunk => ({
  ...{ ordinal, page: null, start: 0, end: 1, text: 'x', context: '', language: 'es', terms: 'x' },
  vector,
});

const loadDocument = async (index: number): Promise<void> => {
  const reached = index % 100 === 0;
  const folder = reached ? ['AREA', 'ROOT'] : ['REST', 'ROOT'];
  const fact = described({ code: `D${index}`, locationCode: folder[0] ?? '', locationAncestors: folder });
  const vectors = Array.from({ length: PER_DOCUMENT }, near);
  const generation = { documentId: fact.documentId, generation: 1 };
  await retrieval.database.write({ groupId }, async (tx) => {
    await retrieval.projection.describe(tx, fact);
    const chunks = vectors.map((vector, ordinal) => chunkOf(ordinal, vector));
    await retrieval.chunks.load(tx, embeddingIndex, [{ ...generation, chunks }]);
    const loaded = { ...generation, chunkCount: PER_DOCUMENT, vectorsObject: 'loaded' };
    await retrieval.chunks.makeLive(tx, embeddingIndex, [{ fact: loaded }]);
  });
  if (reached) vectors.forEach((vector, ordinal) => inArea.push({ documentId: fact.documentId, ordinal, vector }));
};

const makeGraph = async (graph: string): Promise<void> => {
  const made = `create index ${graph} on retrieval.${vectorTable(DIMENSION, embeddingIndex.bucket)} using hnsw (embedding vector_ip_ops)`;
  await retrieval.db.asOwner('retrieval', made);
};

beforeAll(
  async () => {
    retrieval = await openRetrieval();
    const key = retrieval.embedder.embeddingModel;
    await retrieval.buckets.prepare({ groupId }, key.dimension);
    ({ embeddingIndex } = await retrieval.database.write({ groupId }, (tx) =>
      retrieval.embeddingIndexes.ensure(tx, key, true),
    ));
    // Row by row, the graph takes four times as long to build.
    const graph = `${vectorTable(DIMENSION, embeddingIndex.bucket)}_hnsw`;
    await retrieval.db.asOwner('retrieval', `drop index retrieval.${graph}`);
    for (let index = 0; index < CHUNKS / PER_DOCUMENT; index += 1) {
      if (index === AT_ONCE / PER_DOCUMENT) await makeGraph(graph);
      await loadDocument(index);
    }
    if (CHUNKS <= AT_ONCE) await makeGraph(graph);
    await retrieval.buckets.analyseGrown({ groupId }, embeddingIndex);
  },
  often(300_000, 3_600_000),
);
afterAll(() => retrieval.close(), 30_000);

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
const nameOf = ({ documentId, ordinal }: { documentId: string; ordinal: number }): string => `${documentId}:${ordinal}`;
const exactly = (query: Float32Array, most: number): string[] =>
  inArea
    .toSorted((a, b) => dot(query, b.vector) - dot(query, a.vector))
    .slice(0, most)
    .map(nameOf);

describe(`an area with one in a hundred of ${CHUNKS} chunks`, () => {
  // The assumed size of the group decides whether the chunks of the area are counted.
  it.each([
    ['small', 0],
    ['large', 1_000_000],
  ])(
    'vector search in a group that counts as %s matches exact search',
    async (size, mostChunks) => {
      const index = new PgvectorIndex(retrieval.database);
      const visibility = visibilityOf(userScope(groupId, { locationRoots: ['AREA'] }));
      const rank = (query: Float32Array, depth: number) =>
        index.rank({ visibility, embeddingIndex: { ...embeddingIndex, mostChunks }, depth }, query);
      let found = 0;
      for (let round = 0; round < QUERIES; round += 1) {
        const query = near();
        const expected = new Set(exactly(query, 10));
        found += (await rank(query, 10)).filter((hit) => expected.has(nameOf(hit))).length;
        expect(await rank(query, inArea.length + 100)).toHaveLength(inArea.length);
      }
      const recall = found / (QUERIES * 10);
      process.stdout.write(`recall@10 ${recall.toFixed(3)} of ${QUERIES} queries, ${size}\n`);
      expect(recall).toBeGreaterThanOrEqual(0.98);
    },
    often(120_000, 1_800_000),
  );
});
