import { Injectable } from '@nestjs/common';
import { NotFound, type SearchRequest } from '@acervo/contracts';
import { Database, type Transaction } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import type { Visibility } from '@acervo/rbac';
import { LocationStore } from '../locations/location.store';
import { type LiveEmbeddingIndex, EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { type FusedChunk, fuse } from './fusion';
import { WITHOUT_SIMILARITY } from '../retrieval.metrics';
import { fusionFor, weighted } from './fusion-settings';
import { HydrationStore } from './hydration.store';
import { LegReader, type Rankings } from './leg-reader';
import { SearchUnavailable, SimilarityUnavailable } from './search.errors';
import { Similarities } from './similarities';

/** The ranking of a query, before any document is left out. */
export interface Ranked {
  readonly embeddingIndex: LiveEmbeddingIndex;
  readonly rankings: Rankings;
  /** Every chunk that a leg ranks, best first. */
  readonly chunks: readonly FusedChunk[];
  readonly similarities: Similarities;
}

const carriesCodes = ({ filter }: SearchRequest): boolean =>
  [filter?.documentTypes, filter?.attributes, filter?.characteristics].some((codes) => (codes?.length ?? 0) > 0);

/** Ranks visible documents by both legs: one way for an answer and for its explanation. */
@Injectable()
export class Ranker {
  private readonly dissimilar;

  constructor(
    private readonly database: Database,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly hydration: HydrationStore,
    private readonly locations: LocationStore,
    private readonly legs: LegReader,
    metrics: Metrics,
  ) {
    this.dissimilar = metrics.counter(WITHOUT_SIMILARITY);
  }

  /**
   * The embedding index that a request searches; undefined where nothing can be found. A caller without visible
   * documents ends here: a leg would walk every match of the group to find none.
   * @throws NotFound for a space, and for a folder that the caller does not see
   */
  async embeddingIndexFor(
    tx: Transaction,
    visibility: Visibility,
    request: SearchRequest,
  ): Promise<LiveEmbeddingIndex | undefined> {
    if (request.spaceId !== undefined) throw new NotFound();
    const { hydration, locations, embeddingIndexes } = this;
    const { locationCode } = visibility;
    const [seesFolder, seesAny, live] = await Promise.all([
      locationCode === null || locations.sees(tx, visibility, locationCode),
      hydration.seesAny(tx, visibility),
      embeddingIndexes.live(tx),
    ]);
    if (!seesFolder) throw new NotFound();
    return seesAny && !carriesCodes(request) ? live : undefined;
  }

  /** @throws SearchUnavailable; SimilarityUnavailable */
  async rank(visibility: Visibility, embeddingIndex: LiveEmbeddingIndex, request: SearchRequest): Promise<Ranked> {
    const { query, limit: documents, minSimilarity } = request;
    const rankings = await this.legs.read({ query, documents, visibility, embeddingIndex });
    const { lexical, vector } = rankings;
    if (lexical === null && vector === null) throw new SearchUnavailable();
    if (vector === null && minSimilarity > 0) throw new SimilarityUnavailable();
    const withoutVectors = await this.withoutVectors(visibility, embeddingIndex, rankings, minSimilarity);
    return {
      embeddingIndex,
      rankings,
      chunks: fuse(weighted(rankings, fusionFor(embeddingIndex.model), withoutVectors)),
      similarities: new Similarities(vector ?? [], embeddingIndex.floor),
    };
  }

  /**
   * The documents of the lexical leg whose vectors are still to come. A least similarity leaves them out: they have
   * none.
   * @throws SimilarityUnavailable where no document has vectors
   */
  private async withoutVectors(
    visibility: Visibility,
    embeddingIndex: LiveEmbeddingIndex,
    { lexical }: Rankings,
    minSimilarity: number,
  ): Promise<ReadonlySet<string>> {
    if (!embeddingIndex.isPartial) return new Set();
    const ids = [...new Set((lexical ?? []).map(({ documentId }) => documentId))];
    const { hydration } = this;
    const isLimited = minSimilarity > 0;
    const [anyHas, found] = await this.database.readAtOnce(visibility, (tx) =>
      Promise.all([
        !isLimited || hydration.hasVectors(tx, embeddingIndex),
        hydration.withoutVectors(tx, embeddingIndex, ids),
      ]),
    );
    if (!anyHas) throw new SimilarityUnavailable();
    if (isLimited) this.dissimilar.inc(found.size);
    return found;
  }
}
