import { randomUUID } from 'node:crypto';
import { vectorTable } from '../src/kernel/bucket';
import type { LiveEmbeddingIndex } from '../src/embedding-indexes/embedding-index.store';
import type { LoadedChunk } from '../src/handover/chunk.store';
import { described } from './documents';
import { numbers, often } from './numbers';
import { openRetrieval, type Retrieval } from './support';

export const CHUNKS = often(5_000, 50_000);
export const PER_DOCUMENT = 10;
/** The largest graph for one statement: the engine answers no query meanwhile, and a silent statement is ended. */
const AT_ONCE = 10_000;
const DIMENSION = 384;
const random = numbers(11);

/** Types that one document in so many has; the codes of a document name all that it has. */
export const TYPES = { PERMILLE: 1_000, PERCENT: 100, TENTH: 10 } as const;
export type TypeCode = keyof typeof TYPES;
const typesAt = (index: number): TypeCode[] =>
  (Object.keys(TYPES) as TypeCode[]).filter((code) => index % TYPES[code] === 0);

/** Common and rare words, a few of them in each chunk. */
export const word = (): string => `w${Math.floor(400 * random() ** 3)}`;
const words = (least: number): string => Array.from({ length: least + Math.floor(20 * random()) }, word).join(' ');

/** Roughly normal, mean 0. */
const noise = (): number => random() + random() + random() - 1.5;
const normal = (vector: number[]): Float32Array => {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
};
const CENTRES = Array.from({ length: 40 }, () => Array.from({ length: DIMENSION }, noise));
/** A vector near one of the centres, as passages of one subject are. */
export const near = (): Float32Array => {
  const centre = CENTRES[Math.floor(random() * CENTRES.length)] ?? [];
  return normal(centre.map((value) => value + noise()));
};

export interface Placed {
  readonly types: readonly TypeCode[];
  readonly isInArea: boolean;
  readonly documentId: string;
  /** The place of its document. */
  readonly index: number;
  readonly ordinal: number;
  readonly vector: Float32Array;
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
export const nameOf = ({ documentId, ordinal }: { documentId: string; ordinal: number }): string =>
  `${documentId}:${ordinal}`;
/** The names of the nearest chunks, by comparing all. */
export const exactly = (admitted: readonly Placed[], query: Float32Array, most: number): string[] =>
  admitted
    .map((chunk) => ({ chunk, near: dot(query, chunk.vector) }))
    .toSorted((a, b) => b.near - a.near)
    .slice(0, most)
    .map(({ chunk }) => nameOf(chunk));

const chunkOf = (ordinal: number, vector: Float32Array): LoadedChunk => ({
  ...{ ordinal, page: null, start: 0, end: 1, text: 'x', context: '', language: 'es', terms: words(5) },
  vector,
});

/** A group with many chunks of random words and of vectors around random centres. */
export class RecallWorld {
  readonly placed: Placed[] = [];

  private constructor(
    readonly retrieval: Retrieval,
    readonly groupId: string,
    readonly embeddingIndex: LiveEmbeddingIndex,
  ) {}

  static async open(): Promise<RecallWorld> {
    const [retrieval, groupId] = [await openRetrieval(), randomUUID()];
    const key = retrieval.embedder.embeddingModel;
    await retrieval.buckets.prepare({ groupId }, key.dimension);
    const { embeddingIndex } = await retrieval.database.write({ groupId }, (tx) =>
      retrieval.embeddingIndexes.ensure(tx, key, true),
    );
    const world = new RecallWorld(retrieval, groupId, embeddingIndex);
    await world.load();
    return world;
  }

  /** The distinct documents of chunks that fulfil a condition. */
  documentsWhere(isMeant: (chunk: Placed) => boolean): string[] {
    return [...new Set(this.placed.filter(isMeant).map(({ documentId }) => documentId))];
  }

  private async load(): Promise<void> {
    // Row by row, the graph takes four times as long to build.
    const graph = `${vectorTable(DIMENSION, this.embeddingIndex.bucket)}_hnsw`;
    for (let index = 0; index < CHUNKS / PER_DOCUMENT; index += 1) {
      if (index === AT_ONCE / PER_DOCUMENT) await this.makeGraph(graph);
      await this.loadDocument(index);
    }
    if (CHUNKS <= AT_ONCE) await this.makeGraph(graph);
    await this.retrieval.buckets.look({ groupId: this.groupId }, this.embeddingIndex);
  }

  private async loadDocument(index: number): Promise<void> {
    const { retrieval, groupId, embeddingIndex } = this;
    const isInArea = index % 100 === 0;
    const folder = isInArea ? ['AREA', 'ROOT'] : ['REST', 'ROOT'];
    const types = typesAt(index);
    const place = { locationCode: folder[0] ?? '', locationAncestors: folder };
    const fact = described({ code: `D${index}`, typeCodes: types, ...place });
    const vectors = Array.from({ length: PER_DOCUMENT }, near);
    const generation = { documentId: fact.documentId, generation: 1 };
    await retrieval.database.write({ groupId }, async (tx) => {
      await retrieval.projection.describe(tx, fact);
      const chunks = vectors.map((vector, ordinal) => chunkOf(ordinal, vector));
      await retrieval.chunks.load(tx, embeddingIndex, [{ ...generation, chunks }]);
      const loaded = { ...generation, chunkCount: PER_DOCUMENT, vectorsObject: 'loaded' };
      await retrieval.chunks.makeLive(tx, embeddingIndex, [{ fact: loaded }]);
    });
    const { documentId } = fact;
    vectors.forEach((vector, ordinal) => this.placed.push({ documentId, types, isInArea, index, ordinal, vector }));
  }

  private async makeGraph(graph: string): Promise<void> {
    const table = vectorTable(DIMENSION, this.embeddingIndex.bucket);
    const made = `create index ${graph} on retrieval.${table} using hnsw (embedding vector_ip_ops)`;
    await this.retrieval.db.asOwner('retrieval', made);
  }
}
