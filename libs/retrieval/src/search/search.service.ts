import { type FoundDocument, searchDocuments, type SearchRequest, type SearchResult } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import type { Allowance } from '../allowance/allowance';
import { chunkKey, type FusedDocument, groupByDocument } from './fusion';
import type { HydratedChunk, HydrationStore } from './hydration.store';
import type { LiveSpace } from '../spaces/space.store';
import type { Ranker } from './ranker';
import { isSimilar, type Similarities } from './similarities';

const resultOf = (documents: readonly FoundDocument[], startedAt: number): SearchResult => ({
  documents,
  totalDocuments: documents.length,
  totalChunks: documents.reduce((sum, { chunks }) => sum + chunks.length, 0),
  durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
});

export interface SearchParts {
  readonly database: Database;
  readonly hydration: HydrationStore;
  readonly ranker: Ranker;
  readonly allowance: Allowance;
  readonly publicUrl: string;
}

/** Hybrid search: counted, then both legs under one filter, fused by rank, confirmed and shown. */
export class SearchService {
  constructor(private readonly parts: SearchParts) {}

  @Handles(searchDocuments)
  async search(scope: Scope, request: SearchRequest): Promise<SearchResult> {
    const startedAt = performance.now();
    const visibility = visibilityOf(scope, request);
    const documents = await this.parts.allowance.spend(
      scope,
      (tx) => this.parts.ranker.spaceFor(tx, visibility, request),
      (space) => this.found(visibility, space, request),
    );
    return resultOf(documents, startedAt);
  }

  private async found(
    visibility: Visibility,
    space: LiveSpace | undefined,
    request: SearchRequest,
  ): Promise<FoundDocument[]> {
    if (space === undefined) return [];
    const ranked = await this.parts.ranker.rank(visibility, space, request);
    const { similarities } = ranked;
    const documents = groupByDocument(ranked.chunks)
      .filter(({ documentId }) => isSimilar(similarities, documentId, request))
      .slice(0, request.limit);
    if (documents.length === 0) return [];
    const hits = documents.flatMap(({ chunks }) => chunks);
    const shown = await this.parts.database.read(visibility, (tx) =>
      this.parts.hydration.hydrate(tx, visibility, space, hits),
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
      url: `${this.parts.publicUrl}/documentos/${encodeURIComponent(code)}`,
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
