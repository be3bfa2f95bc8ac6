import type { Database, Transaction } from '@acervo/platform-database';
import { chunkTable } from '../kernel/bucket';
import { isFew, lexicalStatement, scoredStatement } from './leg-sql';
import { type LegQuery, LexicalIndex, POSTGRESQL, type RankedChunk } from './ranking';

/** A row of the walk; the terms are those of the last one, and null otherwise. */
interface WalkedChunk extends RankedChunk {
  readonly lastTerms: string | null;
}

const hasAny = (terms: string | null | undefined, wanted: ReadonlySet<string>): boolean =>
  terms?.split(' ').some((term) => wanted.has(term)) ?? false;

/**
 * How many of the ranked chunks contain a term, found by bisection: on a small table the engine fills up with rows of
 * score 0, which come last.
 */
const matching = async (
  tx: Transaction,
  { embeddingIndex }: LegQuery,
  ranked: readonly RankedChunk[],
  wanted: ReadonlySet<string>,
): Promise<number> => {
  const contains = async ({ documentId, ordinal }: RankedChunk): Promise<boolean> => {
    const [row] = await tx.prepared<{ terms: string }>(
      `select c.terms from retrieval.${chunkTable(embeddingIndex.bucket)} c join retrieval.live l
         on l.group_id = c.group_id and l.document_id = c.document_id and l.space_id = c.space_id and l.generation = c.generation
       where c.group_id = $1 and c.document_id = $2 and c.space_id = $3 and c.ordinal = $4`,
      [tx.groupId, documentId, embeddingIndex.indexId, ordinal],
    );
    return hasAny(row?.terms, wanted);
  };
  // The last row contains none.
  let [low, high] = [0, ranked.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const chunk = ranked[middle];
    if (chunk !== undefined && (await contains(chunk))) low = middle + 1;
    else high = middle;
  }
  return low;
};

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
  private async walk(query: LegQuery, terms: string): Promise<readonly RankedChunk[]> {
    const { sql, params, local } = lexicalStatement(query, terms);
    const { visibility } = query;
    const rows = await this.database.readAtOnce(visibility, (tx) => tx.query<WalkedChunk>(sql, params), local);
    const ranked = rows.map(({ documentId, ordinal }) => ({ documentId, ordinal }));
    const wanted = new Set(terms.split(' '));
    const last = rows.at(-1);
    if (last === undefined || hasAny(last.lastTerms, wanted)) return ranked;
    return this.database.read(visibility, async (tx) => ranked.slice(0, await matching(tx, query, ranked, wanted)));
  }
}
