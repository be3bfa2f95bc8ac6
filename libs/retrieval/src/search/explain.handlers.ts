import { Injectable } from '@nestjs/common';
import {
  type ExplainedDocument,
  type ExplainedFeature,
  type ExplainedLeg,
  explainDocuments,
  type ExplainRequest,
  type Explanation,
  type Removal,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import type { RankedChunk } from '../legs/ranking';
import type { SearchedDocuments } from '../legs/searched-documents';
import { SpaceFreshness } from '../space-members/space-freshness';
import { chunkKey, type FusedDocument, groupByDocument } from './fusion';
import { HydrationStore, type NamedDocument } from './hydration.store';
import { QueryAnalyzer } from './query-analyzer';
import { type Ranked, Ranker } from './ranker';
import { RequestVisibility } from './request-visibility';
import { isSimilar } from './similarities';

/** The rank of each chunk in a leg, from 1. */
const ranksOf = (ranking: readonly RankedChunk[] | null): ReadonlyMap<string, number> =>
  new Map((ranking ?? []).map((hit, index) => [chunkKey(hit), index + 1]));

const legsOf = ({ rankings, settings }: Ranked): ExplainedLeg[] =>
  (['lexical', 'vector'] as const).map((leg) => ({
    leg,
    answered: rankings[leg] !== null,
    chunks: rankings[leg]?.length ?? 0,
    ...settings[leg],
  }));

const featuresOf = ({ features }: Ranked): ExplainedFeature[] =>
  Object.entries(features).map(([name, value]) => ({ name, value: Number(value) }));

/** Why the request leaves documents out: first those below the least similarity, then those beyond the limit. */
const removalsOf = (
  documents: readonly FusedDocument[],
  { similarities }: Ranked,
  request: ExplainRequest,
): ReadonlyMap<string, Removal> => {
  const removed = new Map<string, Removal>();
  let returned = 0;
  for (const { documentId } of documents)
    if (!isSimilar(similarities, documentId, request)) removed.set(documentId, 'MIN_SIMILARITY');
    else if ((returned += 1) > request.limit) removed.set(documentId, 'LIMIT');
  return removed;
};

/** Explains a search: the rank of each hit in each leg, and why a document is left out. */
@Injectable()
export class ExplainHandlers {
  constructor(
    private readonly database: Database,
    private readonly hydration: HydrationStore,
    private readonly ranker: Ranker,
    private readonly analyzer: QueryAnalyzer,
    private readonly visibilities: RequestVisibility,
    private readonly freshness: SpaceFreshness,
  ) {}

  @Handles(explainDocuments)
  async explain(scope: Scope, request: ExplainRequest): Promise<Explanation> {
    const visibility = await this.visibilities.of(scope, request);
    await this.freshness.ensure(scope, request.spaceId);
    const { database, ranker } = this;
    const target = await database.readAtOnce(visibility, (tx) => ranker.targetOf(tx, scope, visibility, request));
    if (target === undefined) {
      const { terms } = this.analyzer.analyse(request.query);
      return { model: null, terms, features: [], legs: [], documents: [] };
    }
    const ranked = await ranker.rank(target, request);
    return {
      model: ranked.embeddingIndex.model,
      terms: ranked.terms,
      features: featuresOf(ranked),
      legs: legsOf(ranked),
      documents: await this.documentsOf(target.visibility, request, ranked),
    };
  }

  /** Names are read under the same visibility, so a hidden document is left out, however long it has been hidden. */
  private async documentsOf(
    visibility: SearchedDocuments,
    request: ExplainRequest,
    ranked: Ranked,
  ): Promise<ExplainedDocument[]> {
    const documents = groupByDocument(ranked.chunks, Infinity);
    const ids = documents.map(({ documentId }) => documentId);
    const { documentCodes: codes } = request;
    const named = await this.database.read(visibility, (tx) => this.hydration.names(tx, visibility, ids, codes ?? []));
    const explained = this.explained(documents, new Map(named.map((name) => [name.documentId, name])), request, ranked);
    const found = new Set(explained.map(({ code }) => code));
    const unranked = named
      .filter(({ code }) => !found.has(code))
      .map(({ code, name }) => ({ code, name, rank: null, score: 0, removedBy: 'NOT_RANKED' as const, chunks: [] }));
    return [...explained, ...unranked].filter(({ code }) => codes === undefined || codes.includes(code));
  }

  private explained(
    documents: readonly FusedDocument[],
    names: ReadonlyMap<string, NamedDocument>,
    request: ExplainRequest,
    ranked: Ranked,
  ): ExplainedDocument[] {
    const removals = removalsOf(documents, ranked, request);
    const [words, meanings] = [ranksOf(ranked.rankings.lexical), ranksOf(ranked.rankings.vector)];
    const cosines = new Map((ranked.rankings.vector ?? []).map((hit) => [chunkKey(hit), hit.cosine]));
    return documents.flatMap(({ documentId, score, chunks }, index) => {
      const named = names.get(documentId);
      if (named === undefined) return [];
      const shown = chunks.map((chunk) => ({
        chunkNumber: chunk.ordinal,
        lexicalRank: words.get(chunkKey(chunk)) ?? null,
        vectorRank: meanings.get(chunkKey(chunk)) ?? null,
        cosine: cosines.get(chunkKey(chunk)) ?? null,
        score: chunk.score,
      }));
      const { code, name } = named;
      return [{ code, name, rank: index + 1, score, removedBy: removals.get(documentId) ?? null, chunks: shown }];
    });
  }
}
