import { Injectable } from '@nestjs/common';
import type { SearchRequest } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import type { FullDocument } from '../excerpts/excerpt.service';
import { Quota } from '../quota/quota';
import type { SearchTarget } from '../legs/ranking';
import type { SearchedDocuments } from '../legs/searched-documents';
import { SpaceFreshness } from '../space-members/space-freshness';
import { type FusedDocument, groupByDocument } from './fusion';
import { type HydratedChunk, HydrationStore } from './hydration.store';
import { reachFor } from './leg-reader';
import { type Ranked, Ranker } from './ranker';
import { RequestVisibility } from './request-visibility';
import { isSimilar, type Similarities } from './similarities';

/** A document that a search found, with its best chunks in full. */
export interface FoundInFull extends FullDocument<HydratedChunk> {
  /** Any of its chunks: all carry the fields of the document. */
  readonly document: HydratedChunk;
  readonly summary: string;
  readonly rrfScore: number;
  readonly similarities: Similarities;
}

/** The answer to a search. */
export interface Found {
  /** The terms of the query, repeated by weight; empty where nothing can be found. */
  readonly terms: string;
  readonly documents: readonly FoundInFull[];
}

const NOTHING: Found = { terms: '', documents: [] };

/** A search whose answer may be bounded by chunks, too. */
export interface FindRequest extends SearchRequest {
  /** Most chunks of all documents together; without it, up to five of each. */
  readonly mostChunks?: number;
}

const foundOf = (
  { documentId, score }: FusedDocument,
  hydrated: readonly HydratedChunk[],
  similarities: Similarities,
): FoundInFull[] => {
  const chunks = hydrated.filter((chunk) => chunk.documentId === documentId);
  const [document] = chunks;
  if (document === undefined) return [];
  const { summary, chunkCount, characters } = document;
  return [{ documentId, document, summary, size: { chunkCount, characters }, chunks, rrfScore: score, similarities }];
};

/** The documents of a ranking that its request returns. */
const documentsOf = ({ chunks, similarities }: Ranked, request: SearchRequest): readonly FusedDocument[] =>
  groupByDocument(chunks)
    .filter(({ documentId }) => isSimilar(similarities, documentId, request))
    .slice(0, request.limit);

/** Hybrid search: counted, then both legs under one filter, fused by rank, confirmed and hydrated. */
@Injectable()
export class Finder {
  constructor(
    private readonly database: Database,
    private readonly hydration: HydrationStore,
    private readonly ranker: Ranker,
    private readonly quota: Quota,
    private readonly visibilities: RequestVisibility,
    private readonly freshness: SpaceFreshness,
  ) {}

  /** Documents with their best chunks, best first. */
  async find(scope: Scope, request: FindRequest): Promise<Found> {
    const visibility = await this.visibilities.of(scope, request);
    await this.freshness.ensure(scope, request.spaceId);
    return this.quota.spend(
      scope,
      request,
      (tx) => this.ranker.targetOf(tx, scope, visibility, request),
      async (target) => (target === undefined ? NOTHING : this.found(target, request)),
    );
  }

  /**
   * The ids of the best documents, best first. They may be many more than a user reads, so the legs are read deeper and
   * longer. Counts as one retrieval.
   */
  best(scope: Scope, searched: SearchedDocuments, request: SearchRequest): Promise<readonly string[]> {
    return this.quota.spend(
      scope,
      request,
      (tx) => this.ranker.targetOf(tx, scope, searched, request),
      async (target) => {
        if (target === undefined) return [];
        const ranked = await this.ranker.rank(target, request, reachFor(request.limit));
        return documentsOf(ranked, request).map(({ documentId }) => documentId);
      },
    );
  }

  private async found(target: SearchTarget, request: FindRequest): Promise<Found> {
    const { visibility, embeddingIndex } = target;
    const ranked = await this.ranker.rank(target, request);
    const { similarities, terms } = ranked;
    const documents = documentsOf(ranked, request);
    if (documents.length === 0) return NOTHING;
    const shown = new Set(documents.flatMap(({ chunks }) => chunks));
    const hits = ranked.chunks.filter((chunk) => shown.has(chunk)).slice(0, request.mostChunks);
    const hydrated = await this.database.readAtOnce(visibility, (tx) =>
      this.hydration.hydrate(tx, visibility, embeddingIndex, hits),
    );
    return { terms, documents: documents.flatMap((document) => foundOf(document, hydrated, similarities)) };
  }
}
