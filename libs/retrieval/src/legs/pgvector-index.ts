import type { Database } from '@acervo/platform-database';
import { MOST_EXACT, vectorStatement } from './leg-sql';
import { type LegQuery, POSTGRESQL, type RankedVector, VectorIndex } from './ranking';

/** pgvector: exact where few chunks are admitted, along the graph otherwise. */
export class PgvectorIndex extends VectorIndex {
  readonly engine = POSTGRESQL;

  constructor(private readonly database: Database) {
    super();
  }

  async rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]> {
    const { sql, params, local } = vectorStatement(query, vector, query.space.mostChunks <= MOST_EXACT);
    return this.database.read(query.visibility, (tx) => tx.query<RankedVector>(sql, params), local);
  }
}
