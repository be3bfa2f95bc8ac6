import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import type { SearchedDocuments } from './searched-documents';

/** One chunk as a leg ranks it: its document and its ordinal in the live generation. */
export interface RankedChunk {
  readonly documentId: string;
  readonly ordinal: number;
}

export interface RankedVector extends RankedChunk {
  readonly cosine: number;
}

/** Where a search looks. */
export interface SearchTarget {
  readonly visibility: SearchedDocuments;
  readonly embeddingIndex: LiveEmbeddingIndex;
  /** How many chunks are searched, where few documents are and they are counted already. */
  readonly admitted?: number | undefined;
}

/** One read of one leg. */
export interface LegQuery extends SearchTarget {
  /** Most chunks to rank. */
  readonly depth: number;
}

/** The engine name of rankings by the database. */
export const POSTGRESQL = 'PostgreSQL';

/** Ranks chunks by words. Scores of different groups never influence each other. */
export abstract class LexicalIndex {
  /** Name of the engine in metrics and logs. */
  abstract readonly engine: string;

  /** Best first; at most `depth`; only chunks that are live and visible. */
  abstract rank(query: LegQuery, terms: string): Promise<readonly RankedChunk[]>;
}

/** Ranks chunks by meaning. */
export abstract class VectorIndex {
  /** Name of the engine in metrics and logs. */
  abstract readonly engine: string;

  /** Best first; at most `depth`; only chunks that are live and visible. */
  abstract rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]>;
}
