import { Injectable } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import { admittedStatement, MOST_EXACT, vectorStatement } from './leg-sql';
import { type LegQuery, POSTGRESQL, type RankedVector, VectorIndex } from './ranking';

/**
 * pgvector: exact for few admitted chunks, along the graph otherwise. A walk along the graph stops after a number of
 * rows. In a small area of a large group it would find less than there is.
 */
@Injectable()
export class PgvectorIndex extends VectorIndex {
  readonly engine = POSTGRESQL;

  constructor(private readonly database: Database) {
    super();
  }

  async rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]> {
    const exact = query.embeddingIndex.mostChunks <= MOST_EXACT || (await this.admitted(query)) <= MOST_EXACT;
    const { sql, params, local } = vectorStatement(query, vector, exact);
    return this.database.readAtOnce(query.visibility, (tx) => tx.query<RankedVector>(sql, params), local);
  }

  private async admitted(query: LegQuery): Promise<number> {
    const { sql, params } = admittedStatement(query);
    const [row] = await this.database.readAtOnce(query.visibility, (tx) =>
      tx.prepared<{ chunks: number }>(sql, params),
    );
    return row?.chunks ?? 0;
  }
}
