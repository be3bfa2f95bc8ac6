import { Injectable } from '@nestjs/common';
import type { SearchRequest } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import type { Scope, Visibility } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import type { FullDocument } from '../excerpts/excerpt.service';
import { Quota } from '../quota/quota';
import { type FusedDocument, groupByDocument } from './fusion';
import { type HydratedChunk, HydrationStore } from './hydration.store';
import { Ranker } from './ranker';
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

/** Hybrid search: counted, then both legs under one filter, fused by rank, confirmed and hydrated. */
@Injectable()
export class Finder {
  constructor(
    private readonly database: Database,
    private readonly hydration: HydrationStore,
    private readonly ranker: Ranker,
    private readonly quota: Quota,
    private readonly visibilities: RequestVisibility,
  ) {}

  /** Documents with their best chunks, best first. */
  async find(scope: Scope, request: SearchRequest): Promise<FoundInFull[]> {
    const visibility = await this.visibilities.of(scope, request);
    return this.quota.spend(
      scope,
      (tx) => this.ranker.embeddingIndexFor(tx, visibility, request),
      (embeddingIndex) => this.found(visibility, embeddingIndex, request),
    );
  }

  private async found(
    visibility: Visibility,
    embeddingIndex: LiveEmbeddingIndex | undefined,
    request: SearchRequest,
  ): Promise<FoundInFull[]> {
    if (embeddingIndex === undefined) return [];
    const ranked = await this.ranker.rank(visibility, embeddingIndex, request);
    const { similarities } = ranked;
    const documents = groupByDocument(ranked.chunks)
      .filter(({ documentId }) => isSimilar(similarities, documentId, request))
      .slice(0, request.limit);
    if (documents.length === 0) return [];
    const hits = documents.flatMap(({ chunks }) => chunks);
    const hydrated = await this.database.readAtOnce(visibility, (tx) =>
      this.hydration.hydrate(tx, visibility, embeddingIndex, hits),
    );
    return documents.flatMap((document) => foundOf(document, hydrated, similarities));
  }
}
