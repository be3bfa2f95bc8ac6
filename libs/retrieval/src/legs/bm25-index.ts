import type { Database, Transaction } from '@acervo/platform-database';
import { chunkTable } from '../kernel/bucket';
import { isFew, lexicalStatement, scoredStatement } from './leg-sql';
import { type LegQuery, LexicalIndex, POSTGRESQL, type RankedChunk } from './ranking';

/** BM25 inside PostgreSQL, one index a group. */
export class Bm25Index extends LexicalIndex {
  readonly engine = POSTGRESQL;

  constructor(private readonly database: Database) {
    super();
  }

  async rank(query: LegQuery, terms: string): Promise<readonly RankedChunk[]> {
    if (terms === '') return [];
    return isFew(query) ? this.score(query, terms) : this.walk(query, terms);
  }

  /** Scores the few chunks that are searched. */
  private score(query: LegQuery, terms: string): Promise<readonly RankedChunk[]> {
    const { sql, params, local } = scoredStatement(query, terms);
    return this.database.readAtOnce(query.visibility, (tx) => tx.query<RankedChunk>(sql, params), local);
  }

  /** Walks along the index. */
  private walk(query: LegQuery, terms: string): Promise<readonly RankedChunk[]> {
    const { sql, params, local } = lexicalStatement(query, terms);
    const read = async (tx: Transaction): Promise<readonly RankedChunk[]> => {
      const ranked = await tx.query<RankedChunk>(sql, params);
      return ranked.slice(0, await this.matching(tx, query, ranked, new Set(terms.split(' '))));
    };
    return this.database.read(query.visibility, read, local);
  }

  /**
   * How many of the ranked chunks contain a term at all. On a small table the engine fills up with rows of score 0,
   * which come last. The last row decides almost always; otherwise the boundary is found by bisection.
   */
  private async matching(
    tx: Transaction,
    { embeddingIndex }: LegQuery,
    ranked: readonly RankedChunk[],
    terms: ReadonlySet<string>,
  ): Promise<number> {
    const contains = async (index: number): Promise<boolean> => {
      const hit = ranked[index];
      if (hit === undefined) return false;
      const [row] = await tx.prepared<{ terms: string }>(
        `select c.terms from retrieval.${chunkTable(embeddingIndex.bucket)} c join retrieval.live l
           on l.group_id = c.group_id and l.document_id = c.document_id and l.space_id = c.space_id and l.generation = c.generation
         where c.group_id = $1 and c.document_id = $2 and c.space_id = $3 and c.ordinal = $4`,
        [tx.groupId, hit.documentId, embeddingIndex.indexId, hit.ordinal],
      );
      return row?.terms.split(' ').some((term) => terms.has(term)) ?? false;
    };
    if (ranked.length === 0 || (await contains(ranked.length - 1))) return ranked.length;
    let [low, high] = [0, ranked.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await contains(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
