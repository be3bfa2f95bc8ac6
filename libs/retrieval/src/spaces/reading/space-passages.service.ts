import { Injectable } from '@nestjs/common';
import { InvalidMeaning, type SpaceReading, type SpaceReadRequest } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { ExcerptService } from '../../excerpts/excerpt.service';
import { Finder, type FoundInFull } from '../../search/finder';
import { chunkKey } from '../../search/fusion';
import type { HydratedChunk } from '../../search/hydration.store';

/** Chunks that are read for their passages: as many as passages at most leave, and as a search reads at most. */
const MOST_CHUNKS = 500;

/** Searches within a space for its passages. */
@Injectable()
export class SpacePassages {
  constructor(
    private readonly finder: Finder,
    private readonly excerpts: ExcerptService,
  ) {}

  /**
   * The best passages, best first; counts as one retrieval.
   * @throws InvalidMeaning without a query; NotFound for a space that the caller does not see
   */
  async find(scope: Scope, { spaceId, query = '', limit }: SpaceReadRequest): Promise<SpaceReading> {
    if (query.trim() === '') throw new InvalidMeaning(['query']);
    const request = { query, limit, minSimilarity: 0, spaceId, mostChunks: MOST_CHUNKS };
    const { terms, documents } = await this.finder.find(scope, request);
    const passages = this.excerpts.bestOf<HydratedChunk, FoundInFull>(scope, terms, documents, limit);
    const items = passages.map(({ document: { document, similarities }, excerpt: { chunk, text } }) => ({
      ...{ code: document.code, name: document.name, text, page: chunk.page, chunkNumber: chunk.ordinal },
      similarity: similarities.of(chunkKey(chunk)),
    }));
    return { resolution: 'chunks', total: items.length, items };
  }
}
