import type { Database, TenantScope } from '@acervo/platform-database';
import type { Logger } from '@acervo/platform-observability';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import type { ChunkPlace } from '../../copies/chunk-copies';
import type { OpenSearchCopies } from '../../copies/open-search-copies';
import { type LegQuery, LexicalIndex, type RankedChunk } from '../ranking';
import { IndexLost, OPENSEARCH } from './engine-errors';
import { termsClauses, visibilityClauses } from './lexical-query';
import type { OpenSearchEngine } from './open-search-engine';

/** The greatest depth of a ranking of the engine. */
const DEEPEST = 10_000;
const DEEPER = 4;

/** BM25 in OpenSearch, one index a group; the database confirms every hit. */
export class OpenSearchIndex extends LexicalIndex {
  readonly engine = OPENSEARCH;

  constructor(
    private readonly openSearch: OpenSearchEngine,
    private readonly database: Database,
    private readonly copies: OpenSearchCopies,
    private readonly logger: Logger,
  ) {
    super();
  }

  async rank(query: LegQuery, terms: string): Promise<readonly RankedChunk[]> {
    if (terms === '') return [];
    const { visibility, depth } = query;
    for (let size = depth; ; size = Math.min(DEEPEST, size * DEEPER)) {
      const found = await this.find(visibility, terms, size);
      const confirmed = await this.confirm(query, found);
      if (confirmed.length >= depth || found.length < size || size >= DEEPEST) return confirmed.slice(0, depth);
    }
  }

  private async find(visibility: Visibility, terms: string, size: number): Promise<readonly ChunkPlace[]> {
    try {
      return await this.openSearch.search(visibility, termsClauses(terms), visibilityClauses(visibility), size);
    } catch (error) {
      if (error instanceof IndexLost) this.recover(visibility);
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
    const visible = visibilitySql(visibility, 'd', 6);
    return this.database.readAtOnce(visibility, (tx) =>
      tx.prepared<RankedChunk>(
        `select hit.document_id as "documentId", hit.ordinal
         from unnest($3::uuid[], $4::int[], $5::int[]) with ordinality as hit (document_id, generation, ordinal, place)
         join retrieval.live l on l.group_id = $1::uuid and l.document_id = hit.document_id and l.space_id = $2::int
           and l.generation = hit.generation
         join retrieval.document d on d.document_id = hit.document_id and not d.withdrawn and ${visible.sql}
         order by hit.place`,
        [
          visibility.groupId,
          embeddingIndex.indexId,
          places.map(({ documentId }) => documentId),
          places.map(({ generation }) => generation),
          places.map(({ ordinal }) => ordinal),
          ...visible.params,
        ],
      ),
    );
  }
}
