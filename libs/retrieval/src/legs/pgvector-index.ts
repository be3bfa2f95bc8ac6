import type { Database } from '@acervo/platform-database';
import { MOST_EXACT, vectorStatement } from './leg-sql';
import { type LegQuery, type RankedVector, VectorIndex } from './ranking';

/** pgvector: exact where few chunks are admitted, along the graph otherwise. */
export class PgvectorIndex extends VectorIndex {
  constructor(private readonly database: Database) {
    super();
  }

  async rank(query: LegQuery, vector: Float32Array): Promise<readonly RankedVector[]> {
    const { sql, params, local } = vectorStatement(query, vector, await this.isSmall(query));
    return this.database.read(query.visibility, (tx) => tx.query<RankedVector>(sql, params), local);
  }

  /** Whether the group has so few chunks that comparing all of them is cheap. */
  private async isSmall({ visibility, space }: LegQuery): Promise<boolean> {
    const [row] = await this.database.read(visibility, (tx) =>
      tx.query<{ chunks: string }>(
        `select coalesce(sum(chunk_count), 0) as chunks from retrieval.live where group_id = $1 and space_id = $2`,
        [visibility.groupId, space.spaceId],
      ),
    );
    return Number(row?.chunks ?? 0) <= MOST_EXACT;
  }
}
