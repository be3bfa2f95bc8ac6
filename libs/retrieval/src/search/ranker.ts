import { Injectable } from '@nestjs/common';
import type { QueryWords } from '@acervo/analysis';
import { NotFound, type SearchRequest } from '@acervo/contracts';
import { Database, type Transaction } from '@acervo/platform-database';
import { Metrics } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';
import { LocationStore } from '../locations/location.store';
import { type LiveEmbeddingIndex, EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import type { SearchTarget } from '../legs/ranking';
import type { SearchedDocuments } from '../legs/searched-documents';
import { SpaceMembers } from '../space-members/space-members';
import { AdmissionStore } from './admission.store';
import { type FusedChunk, fuse } from './fusion';
import { WITHOUT_SIMILARITY } from '../retrieval.metrics';
import { type ChunkEvidence, EvidenceStore } from './evidence.store';
import { evidenced, featuresOf, type FusionFeatures } from './fusion-features';
import { fusionOf, type FusionSettings, weighted } from './fusion-settings';
import { HydrationStore } from './hydration.store';
import { LegReader, type Rankings, type Reach } from './leg-reader';
import { QueryAnalyzer } from './query-analyzer';
import { SearchUnavailable, SimilarityUnavailable } from './search.errors';
import { Similarities } from './similarities';

/** The ranking of a query, before any document is left out. */
export interface Ranked {
  readonly embeddingIndex: LiveEmbeddingIndex;
  /** Those of the query, repeated by weight. */
  readonly terms: string;
  readonly rankings: Rankings;
  /** What was seen of the query, and the weights that follow from it. */
  readonly features: FusionFeatures;
  readonly settings: FusionSettings;
  /** Every chunk that a leg ranks, best first. */
  readonly chunks: readonly FusedChunk[];
  readonly similarities: Similarities;
}

/** What is read of ranked chunks before they are fused. */
interface Seen {
  readonly evidence: readonly ChunkEvidence[];
  readonly withoutVectors: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING_SEEN: Seen = { evidence: [], withoutVectors: NONE };

/** Ranks visible documents by both legs: one way for an answer and for its explanation. */
@Injectable()
export class Ranker {
  private readonly dissimilar;

  constructor(
    private readonly database: Database,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly hydration: HydrationStore,
    private readonly locations: LocationStore,
    private readonly spaces: SpaceMembers,
    private readonly admissions: AdmissionStore,
    private readonly legs: LegReader,
    private readonly evidence: EvidenceStore,
    private readonly analyzer: QueryAnalyzer,
    metrics: Metrics,
  ) {
    this.dissimilar = metrics.counter(WITHOUT_SIMILARITY);
  }

  /**
   * Where a request looks; undefined where nothing can be found. A search that no document can answer ends here: a leg
   * would walk every match of the group to find none. All statements are sent at once.
   * @throws NotFound for a space, and for a folder, that the caller does not see
   */
  async targetOf(
    tx: Transaction,
    scope: Scope,
    visibility: SearchedDocuments,
    { spaceId }: Pick<SearchRequest, 'spaceId'>,
  ): Promise<SearchTarget | undefined> {
    const { admissions, locations, embeddingIndexes, spaces } = this;
    const { locationCode } = visibility;
    const asked = spaceId === undefined ? visibility : { ...visibility, space: { spaceId, version: null } };
    const [seesFolder, admission, embeddingIndex, space] = await Promise.all([
      locationCode === null || locations.sees(tx, visibility, locationCode),
      admissions.of(tx, asked),
      embeddingIndexes.live(tx),
      spaceId === undefined ? undefined : spaces.membersFor(tx, scope, spaceId),
    ]);
    if (!seesFolder) throw new NotFound();
    if (!admission.isAny || embeddingIndex === undefined) return undefined;
    const searched = space === undefined ? visibility : { ...visibility, space };
    return { visibility: searched, embeddingIndex, admitted: admission.chunks };
  }

  /** @throws SearchUnavailable; SimilarityUnavailable */
  async rank(
    target: SearchTarget,
    { query, limit: documents, minSimilarity }: SearchRequest,
    reach?: Reach,
  ): Promise<Ranked> {
    const { terms, words } = this.analyzer.analyse(query);
    const rankings = await this.legs.read(target, { query, terms, documents, reach });
    const { embeddingIndex } = target;
    const { lexical, vector } = rankings;
    if (lexical === null && vector === null) throw new SearchUnavailable();
    if (vector === null && minSimilarity > 0) throw new SimilarityUnavailable();
    const { withoutVectors, evidence } = await this.seen(target, rankings, words, minSimilarity);
    const features = featuresOf({ ...rankings, words, evidence });
    const settings = fusionOf(features);
    return {
      embeddingIndex,
      terms,
      rankings,
      features,
      settings,
      chunks: fuse(weighted(rankings, settings, withoutVectors)),
      similarities: new Similarities(vector ?? [], embeddingIndex.floor),
    };
  }

  /**
   * What the fusion needs to know of ranked chunks: what the best ones have of the query, and which documents of the
   * lexical leg have no vectors yet. A least similarity leaves those out: they have none.
   * @throws SimilarityUnavailable where no document has vectors
   */
  private async seen(
    { visibility, embeddingIndex }: SearchTarget,
    rankings: Rankings,
    { terms }: QueryWords,
    minSimilarity: number,
  ): Promise<Seen> {
    const { hydration } = this;
    const { isPartial } = embeddingIndex;
    const hits = evidenced(rankings);
    if (!isPartial && hits.length === 0) return NOTHING_SEEN;
    const ids = [...new Set((rankings.lexical ?? []).map(({ documentId }) => documentId))];
    const isLimited = isPartial && minSimilarity > 0;
    const [evidence, anyHas, withoutVectors] = await this.database.readAtOnce(visibility, (tx) =>
      Promise.all([
        hits.length === 0 ? [] : this.evidence.of(tx, embeddingIndex, hits, terms),
        !isLimited || hydration.hasVectors(tx, embeddingIndex),
        isPartial ? hydration.withoutVectors(tx, embeddingIndex, ids) : NONE,
      ]),
    );
    if (!anyHas) throw new SimilarityUnavailable();
    if (isLimited) this.dissimilar.inc(withoutVectors.size);
    return { evidence, withoutVectors };
  }
}
