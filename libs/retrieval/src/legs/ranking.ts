import type { Visibility } from '@acervo/rbac';
import type { LiveSpace } from '../spaces/space.store';

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
  readonly space: LiveSpace;
  /** Most chunks to rank. */
  readonly depth: number;
}

/** The engine of what stands in the database. */
export const POSTGRESQL = 'PostgreSQL';

/** Ranks chunks by words. Scores of different groups never influence each other. */
export abstract class LexicalIndex {
  /** What it stands on, as metrics and logs call it. */
  abstract readonly engine: string;

  /** Best first; at most `depth`; only chunks that are live and visible. */
  abstract rank(query: LegQuery, terms: string): Promise<readonly RankedChunk[]>;
}

/** Ranks chunks by meaning. */
export abstract class VectorIndex {
  /** What it stands on, as metrics and logs call it. */
  abstract readonly engine: string;

  /** Best first; at most `depth`; only chunks that are live and visible. */
  abstract rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]>;
}
