import type { Database, TenantScope } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import type { ChunkPlace } from './copies/chunk-copies';
import type { OpenSearchCopies } from './copies/open-search-copies';
import { type LegQuery, LexicalIndex, type RankedChunk } from '../ranking';
import { readSearched, searchedSql } from '../searched-documents';
import { IndexLost, OPENSEARCH } from './engine-errors';
import { type Clause, searchedClauses, termsClauses } from './lexical-query';
import {
  FEW_MEMBERS,
  type FewMembers,
  fewMembersStatement,
  memberClauses,
  memberFilterStatement,
} from './member-filter';
import type { OpenSearchEngine } from './open-search-engine';

/** The greatest depth of a ranking of the engine. */
const DEEPEST = 10_000;
const DEEPER = 4;
/** How much further a query reads that does not name the members of a space. */
const WIDER = 1.25;

/** BM25 in OpenSearch, one index a group; the database confirms every hit. */
export class OpenSearchIndex extends LexicalIndex {
  readonly engine = OPENSEARCH;

  constructor(
    private readonly openSearch: OpenSearchEngine,
    private readonly database: Database,
    private readonly copies: OpenSearchCopies,
    private readonly logger: Logger,
    private readonly few = FEW_MEMBERS,
  ) {
    super();
  }

  async rank(query: LegQuery, terms: string): Promise<readonly RankedChunk[]> {
    if (terms === '') return [];
    const { space } = query.visibility;
    if (space === undefined) return this.deeply(query, terms, []);
    // With few documents the wide reading would be in vain.
    const isLarge = query.admitted === undefined;
    const [{ ids }, ranked] = await Promise.all([
      this.ask<FewMembers>(query, fewMembersStatement(query, space, this.few)),
      isLarge ? this.widely(query, terms) : undefined,
    ]);
    if (ranked !== undefined) return ranked;
    if (ids !== null) return this.deeply(query, terms, memberClauses({ kind: 'members', ids }));
    return this.deeply(query, terms, memberClauses(await this.ask(query, memberFilterStatement(query, space))));
  }

  /** Reads deeper until enough hits are confirmed. Copies name no space: the clauses name its documents. */
  private async deeply(query: LegQuery, terms: string, within: readonly Clause[]): Promise<readonly RankedChunk[]> {
    const { visibility, depth } = query;
    const filter = [...searchedClauses(visibility), ...within];
    for (let size = Math.min(DEEPEST, depth); ; size = Math.min(DEEPEST, size * DEEPER)) {
      const found = await this.find(visibility, terms, filter, size);
      const confirmed = await this.confirm(query, found);
      if (confirmed.length >= depth || found.length < size || size >= DEEPEST) return confirmed.slice(0, depth);
    }
  }

  /**
   * The best of all documents, where enough of them are members: naming most documents of a group costs more. Undefined
   * where less than half are.
   */
  private async widely(query: LegQuery, terms: string): Promise<readonly RankedChunk[] | undefined> {
    const { visibility, depth } = query;
    const filter = searchedClauses(visibility);
    for (let size = Math.min(DEEPEST, Math.ceil(depth * WIDER)); ;) {
      const found = await this.find(visibility, terms, filter, size);
      const confirmed = await this.confirm(query, found);
      if (confirmed.length >= depth || found.length < size) return confirmed.slice(0, depth);
      if (confirmed.length < size / 2 || size >= DEEPEST) return undefined;
      size = Math.min(DEEPEST, Math.ceil((depth / confirmed.length) * size * WIDER));
    }
  }

  /** The only row of a statement about the members of a space. */
  private async ask<R extends object>(
    { visibility }: LegQuery,
    { sql, params }: { readonly sql: string; readonly params: readonly unknown[] },
  ): Promise<R> {
    const [row] = await this.database.readAtOnce(visibility, (tx) => tx.query<R>(sql, params));
    if (row === undefined) throw new Error('A statement about members answered no row.');
    return row;
  }

  private async find(
    scope: TenantScope,
    terms: string,
    filter: readonly Clause[],
    size: number,
  ): Promise<readonly ChunkPlace[]> {
    try {
      return await this.openSearch.search(scope, termsClauses(terms), filter, size);
    } catch (error) {
      if (error instanceof IndexLost) this.recover(scope);
      throw error;
    }
  }

  /** Starts to recover the missing index of a group; the search does not wait for it. */
  private recover({ groupId }: TenantScope): void {
    void this.copies
      .recover({ groupId })
      .catch((error: unknown) => this.logger.warn({ error }, 'an index could not be made again'));
  }

  /** The chunks that are live and visible now, in the given order. */
  private confirm(
    { visibility, embeddingIndex }: LegQuery,
    places: readonly ChunkPlace[],
  ): Promise<readonly RankedChunk[]> {
    const visible = searchedSql(visibility, 'd', 6);
    return this.database.readAtOnce(visibility, (tx) =>
      readSearched<RankedChunk>(tx, visibility, {
        sql: `select hit.document_id as "documentId", hit.ordinal
         from unnest($3::uuid[], $4::int[], $5::int[]) with ordinality as hit (document_id, generation, ordinal, place)
         join retrieval.live l on l.group_id = $1::uuid and l.document_id = hit.document_id and l.space_id = $2::int
           and l.generation = hit.generation
         join retrieval.document d on d.document_id = hit.document_id and not d.withdrawn and ${visible.sql}
         order by hit.place`,
        params: [
          visibility.groupId,
          embeddingIndex.indexId,
          places.map(({ documentId }) => documentId),
          places.map(({ generation }) => generation),
          places.map(({ ordinal }) => ordinal),
          ...visible.params,
        ],
      }),
    );
  }
}
