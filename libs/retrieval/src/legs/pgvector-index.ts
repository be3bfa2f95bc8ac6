import { Injectable } from '@nestjs/common';
import { Database } from '@acervo/platform-database';
import { RecentAnswers } from '@acervo/platform-resilience';
import { admittedStatement, type LegStatement, MOST_EXACT, nearestStatement, vectorStatement } from './leg-sql';
import { type LegQuery, POSTGRESQL, type RankedVector, VectorIndex } from './ranking';
import { asksForPart, readSearched } from './searched-documents';

/** Counting chunks takes longer than the walk that it decides about, and their number changes slowly. */
const COUNT_HOLDS_MS = 30_000;
const MOST_COUNTS = 1_000;
/**
 * Chunks of the group for each that is wanted, from which the nearest are tested first: a test by key takes some seven
 * times as long as a row of a join.
 */
const NEAREST_FROM = 5;

/**
 * pgvector: exact for few admitted chunks, along the graph otherwise. A walk along the graph stops after a number of
 * rows. In a small area of a large group it would find less than there is. An exact search tests the nearest chunks for
 * visibility first; where too few are visible, it compares the visible ones instead, for a while at once.
 */
@Injectable()
export class PgvectorIndex extends VectorIndex {
  readonly engine = POSTGRESQL;

  /** Whether few chunks are admitted, by what is searched. */
  private readonly fewness = new RecentAnswers<boolean>(COUNT_HOLDS_MS, MOST_COUNTS);
  /** What is searched, and how deep, where too few of the nearest chunks were visible. */
  private readonly sparse = new RecentAnswers<true>(COUNT_HOLDS_MS, MOST_COUNTS);

  constructor(private readonly database: Database) {
    super();
  }

  async rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]> {
    const atMost = Math.min(query.admitted ?? Infinity, query.embeddingIndex.mostChunks);
    const exact = atMost <= MOST_EXACT || (await this.admitsFew(query));
    const nearest = exact && atMost >= NEAREST_FROM * query.depth ? await this.nearest(query, vector) : undefined;
    return nearest ?? this.run(query, vectorStatement(query, vector, exact));
  }

  private run({ visibility }: LegQuery, { sql, params, local }: LegStatement): Promise<RankedVector[]> {
    return this.database.readAtOnce(visibility, (tx) => tx.query<RankedVector>(sql, params), local);
  }

  /** The visible ones of the nearest chunks; undefined where they may be too few. */
  private async nearest(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[] | undefined> {
    const { visibility, embeddingIndex, depth } = query;
    if (asksForPart(visibility)) return undefined;
    const searched = JSON.stringify([embeddingIndex.indexId, depth, visibility]);
    if (this.sparse.has(searched)) return undefined;
    const ranked = await this.run(query, nearestStatement(query, vector));
    if (ranked.length >= depth) return ranked;
    await this.sparse.get(searched, () => Promise.resolve(true));
    return undefined;
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
