import { Injectable } from '@nestjs/common';
import {
  documentUrl,
  type FoundDocument,
  searchDocuments,
  searchPassages,
  type SearchRequest,
  type SearchResult,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { BaseConfig } from '@acervo/platform-config';
import type { Scope } from '@acervo/rbac';
import type { Excerpts } from '../excerpts/excerpt-rule';
import { ExcerptService } from '../excerpts/excerpt.service';
import { Finder, type FoundInFull } from './finder';
import { chunkKey } from './fusion';
import type { HydratedChunk } from './hydration.store';

const resultOf = (documents: readonly FoundDocument[], startedAt: number): SearchResult => ({
  documents,
  totalDocuments: documents.length,
  totalChunks: documents.reduce((sum, { chunks }) => sum + chunks.length, 0),
  durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
});

const inFull = ({ summary, chunks }: FoundInFull): Excerpts<HydratedChunk> => ({
  summary,
  passages: chunks.map((chunk) => ({ chunk, offset: 0, text: chunk.text })),
});

/** Answers searches: in passages for what leaves, in full chunks for chat and ingestion. */
@Injectable()
export class SearchHandlers {
  constructor(
    private readonly finder: Finder,
    private readonly excerpts: ExcerptService,
    private readonly config: BaseConfig,
  ) {}

  @Handles(searchDocuments)
  async search(scope: Scope, request: SearchRequest): Promise<SearchResult> {
    const startedAt = performance.now();
    const { terms, documents: found } = await this.finder.find(scope, request);
    const documents = found.map((each) => this.documentOf(each, this.excerpts.forQuery(scope, terms, each)));
    return resultOf(documents, startedAt);
  }

  @Handles(searchPassages)
  async passages(scope: Scope, request: SearchRequest): Promise<SearchResult> {
    const startedAt = performance.now();
    const { documents } = await this.finder.find(scope, request);
    return resultOf(
      documents.map((each) => this.documentOf(each, inFull(each))),
      startedAt,
    );
  }

  private documentOf(
    { document, rrfScore, similarities }: FoundInFull,
    { summary, passages }: Excerpts<HydratedChunk>,
  ): FoundDocument {
    const { code, name, path, relativePath, homeVar, origin, url, hasVectors } = document;
    return {
      code,
      name,
      summary,
      location: path,
      url: url ?? documentUrl(this.config.publicUrl, code),
      rrfScore,
      maxSimilarity: similarities.of(document.documentId),
      rerankScore: null,
      chunks: passages.map(({ chunk, text }) => ({
        text,
        page: chunk.page,
        extra: {
          similarity: similarities.of(chunkKey(chunk)),
          chunkNumber: chunk.ordinal,
          embedded: hasVectors,
        },
      })),
      fs: { homeVar, relativePath, path, origin, isAbsolute: false, isPublicUrl: url !== null, isCloudOnly: false },
    };
  }
}
