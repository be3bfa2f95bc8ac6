import { Injectable } from '@nestjs/common';
import {
  documentUrl,
  type FoundDocument,
  searchDocuments,
  type SearchRequest,
  type SearchResult,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { BaseConfig } from '@acervo/platform-config';
import { Database } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import { Quota } from '../quota/quota';
import { chunkKey, type FusedDocument, groupByDocument } from './fusion';
import { type HydratedChunk, HydrationStore } from './hydration.store';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { Ranker } from './ranker';
import { isSimilar, type Similarities } from './similarities';

const resultOf = (documents: readonly FoundDocument[], startedAt: number): SearchResult => ({
  documents,
  totalDocuments: documents.length,
  totalChunks: documents.reduce((sum, { chunks }) => sum + chunks.length, 0),
  durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
});

/** Hybrid search: counted, then both legs under one filter, fused by rank, confirmed and hydrated. */
@Injectable()
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly hydration: HydrationStore,
    private readonly ranker: Ranker,
    private readonly quota: Quota,
    private readonly config: BaseConfig,
  ) {}

  @Handles(searchDocuments)
  async search(scope: Scope, request: SearchRequest): Promise<SearchResult> {
    const startedAt = performance.now();
    const visibility = visibilityOf(scope, request);
    const documents = await this.quota.spend(
      scope,
      (tx) => this.ranker.embeddingIndexFor(tx, visibility, request),
      (embeddingIndex) => this.found(visibility, embeddingIndex, request),
    );
    return resultOf(documents, startedAt);
  }

  private async found(
    visibility: Visibility,
    embeddingIndex: LiveEmbeddingIndex | undefined,
    request: SearchRequest,
  ): Promise<FoundDocument[]> {
    if (embeddingIndex === undefined) return [];
    const ranked = await this.ranker.rank(visibility, embeddingIndex, request);
    const { similarities } = ranked;
    const documents = groupByDocument(ranked.chunks)
      .filter(({ documentId }) => isSimilar(similarities, documentId, request))
      .slice(0, request.limit);
    if (documents.length === 0) return [];
    const hits = documents.flatMap(({ chunks }) => chunks);
    const shown = await this.database.read(visibility, (tx) =>
      this.hydration.hydrate(tx, visibility, embeddingIndex, hits),
    );
    return this.present(documents, shown, similarities);
  }

  private present(
    documents: readonly FusedDocument[],
    shown: readonly HydratedChunk[],
    similarities: Similarities,
  ): FoundDocument[] {
    return documents.flatMap(({ documentId, score }) => {
      const chunks = shown.filter((chunk) => chunk.documentId === documentId);
      const [first] = chunks;
      return first === undefined ? [] : [this.documentOf(first, chunks, score, similarities)];
    });
  }

  private documentOf(
    document: HydratedChunk,
    chunks: readonly HydratedChunk[],
    rrfScore: number,
    similarities: Similarities,
  ): FoundDocument {
    const { code, name, summary, path, relativePath, homeVar, origin } = document;
    return {
      code,
      name,
      summary,
      location: path,
      url: documentUrl(this.config.publicUrl, code),
      rrfScore,
      maxSimilarity: similarities.of(document.documentId),
      rerankScore: null,
      chunks: chunks.map((chunk) => ({
        text: chunk.text,
        page: chunk.page,
        extra: { similarity: similarities.of(chunkKey(chunk)), chunkNumber: chunk.ordinal },
      })),
      fs: { homeVar, relativePath, path, origin, isAbsolute: false, isPublicUrl: false, isCloudOnly: false },
    };
  }
}
