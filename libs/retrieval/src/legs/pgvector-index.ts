import { Injectable } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import { RecentAnswers } from '@acervo/platform-resilience';
import { admittedStatement, MOST_EXACT, vectorStatement } from './leg-sql';
import { type LegQuery, POSTGRESQL, type RankedVector, VectorIndex } from './ranking';
import { readSearched } from './searched-documents';

/** Counting chunks takes longer than the walk that it decides about, and their number changes slowly. */
const COUNT_HOLDS_MS = 30_000;
const MOST_COUNTS = 1_000;

/**
 * pgvector: exact for few admitted chunks, along the graph otherwise. A walk along the graph stops after a number of
 * rows. In a small area of a large group it would find less than there is.
 */
@Injectable()
export class PgvectorIndex extends VectorIndex {
  readonly engine = POSTGRESQL;

  /** Whether few chunks are admitted, by what is searched. */
  private readonly fewness = new RecentAnswers<boolean>(COUNT_HOLDS_MS, MOST_COUNTS);

  constructor(private readonly database: Database) {
    super();
  }

  async rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]> {
    const atMost = Math.min(query.admitted ?? Infinity, query.embeddingIndex.mostChunks);
    const exact = atMost <= MOST_EXACT || (await this.admitsFew(query));
    const { sql, params, local } = vectorStatement(query, vector, exact);
    return this.database.readAtOnce(query.visibility, (tx) => tx.query<RankedVector>(sql, params), local);
  }

  private admitsFew(query: LegQuery): Promise<boolean> {
    const { condition, ...searched } = query.visibility;
    const count = async (): Promise<boolean> => (await this.admitted(query)) <= MOST_EXACT;
    if (condition !== undefined) return count();
    return this.fewness.get(JSON.stringify([query.embeddingIndex.indexId, searched]), count);
  }

  private async admitted(query: LegQuery): Promise<number> {
    const { visibility } = query;
    const [row] = await this.database.readAtOnce(visibility, (tx) =>
      readSearched<{ chunks: number }>(tx, visibility, admittedStatement(query)),
    );
    return row?.chunks ?? 0;
  }
}
