import type { Visibility } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';

/** One chunk as a leg ranks it: its document and its ordinal in the live generation. */
export interface RankedChunk {
  readonly documentId: string;
  readonly ordinal: number;
}

export interface RankedVector extends RankedChunk {
  readonly cosine: number;
}

/** One read of one leg. */
export interface LegQuery {
  readonly visibility: Visibility;
  readonly embeddingIndex: LiveEmbeddingIndex;
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
