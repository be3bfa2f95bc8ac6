import {
  type FoundDocument,
  NotFound,
  searchDocuments,
  type SearchRequest,
  type SearchResult,
} from '@acervo/contracts';
import { calibratedSimilarity } from '@acervo/models';
import { Handles } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import { type Scope, type Visibility, visibilityOf } from '@acervo/rbac';
import type { RankedVector } from '../legs/ranking';
import type { LiveSpace, SpaceStore } from '../spaces/space.store';
import { chunkKey, type FusedDocument, fuse, groupByDocument } from './fusion';
import type { HydratedChunk, HydrationStore } from './hydration.store';
import type { LegReader, Rankings } from './leg-reader';
import { SearchUnavailable, SimilarityUnavailable } from './search.errors';

/**
 * How the legs are fused, by the model of the space. With the built-in embedder, which knows spellings and no meaning,
 * the best match by words stays first: at k 10 the step from rank 1 to 2 is 0.0076 and the vector leg adds 0.0045 at most.
 */
const fusionOf = ({ model }: LiveSpace): { k: number; lexical: number; vector: number } => ({
  k: 10,
  lexical: 1,
  vector: model === 'hashing' ? 0.05 : 1,
});

const empty = (startedAt: number): SearchResult => resultOf([], startedAt);

const resultOf = (documents: readonly FoundDocument[], startedAt: number): SearchResult => ({
  documents,
  totalDocuments: documents.length,
  totalChunks: documents.reduce((sum, { chunks }) => sum + chunks.length, 0),
  durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
});

const carriesCodes = ({ filter }: SearchRequest): boolean =>
  [filter?.documentTypes, filter?.attributes, filter?.characteristics].some((codes) => (codes?.length ?? 0) > 0);

/** The best calibrated similarity of each chunk and document that the vector leg ranked. */
class Similarities {
  private readonly best = new Map<string, number>();

  constructor(ranking: readonly RankedVector[], floor: number) {
    for (const hit of ranking) {
      const similarity = calibratedSimilarity(hit.cosine, floor);
      this.best.set(chunkKey(hit), similarity);
      this.best.set(hit.documentId, Math.max(similarity, this.best.get(hit.documentId) ?? 0));
    }
  }

  of(key: string): number | null {
    return this.best.get(key) ?? null;
  }
}

export interface SearchParts {
  readonly database: Database;
  readonly spaces: SpaceStore;
  readonly hydration: HydrationStore;
  readonly legs: LegReader;
  readonly publicUrl: string;
}

/** Hybrid search: both legs under one filter, fused by rank, confirmed and shown. */
export class SearchService {
  constructor(private readonly parts: SearchParts) {}

  @Handles(searchDocuments)
  async search(scope: Scope, request: SearchRequest): Promise<SearchResult> {
    const startedAt = performance.now();
    const visibility = visibilityOf(scope, request);
    if (request.spaceId !== undefined) throw new NotFound();
    const space = await this.prepare(visibility);
    if (space === undefined || carriesCodes(request)) return empty(startedAt);
    const rankings = await this.parts.legs.read({ query: request.query, documents: request.limit, visibility, space });
    const ranked = this.rank(request, rankings, space);
    if (ranked.documents.length === 0) return empty(startedAt);
    const hits = ranked.documents.flatMap(({ chunks }) => chunks);
    const shown = await this.parts.database.read(visibility, (tx) =>
      this.parts.hydration.hydrate(tx, visibility, space, hits),
    );
    return resultOf(this.present(ranked.documents, shown, ranked.similarities), startedAt);
  }

  /**
   * The space that is searched; undefined where there is nothing to find.
   * @throws NotFound for a folder that is not there for this caller.
   */
  private prepare(visibility: Visibility): Promise<LiveSpace | undefined> {
    const { database, hydration, spaces } = this.parts;
    return database.read(visibility, async (tx) => {
      // Who sees nothing is told so here: a leg would walk every match of the group to find out.
      if (await hydration.seesAny(tx, visibility)) return spaces.live(tx);
      if (visibility.locationCode !== null) throw new NotFound();
      return undefined;
    });
  }

  private rank(
    request: SearchRequest,
    { lexical, vector }: Rankings,
    space: LiveSpace,
  ): { documents: FusedDocument[]; similarities: Similarities } {
    if (lexical === null && vector === null) throw new SearchUnavailable();
    if (vector === null && request.minSimilarity > 0) throw new SimilarityUnavailable();
    const { k, ...weights } = fusionOf(space);
    const fused = fuse(
      [
        { ranking: lexical ?? [], weight: weights.lexical },
        { ranking: vector ?? [], weight: weights.vector },
      ],
      k,
    );
    const similarities = new Similarities(vector ?? [], space.floor);
    const enough = ({ documentId }: FusedDocument): boolean =>
      request.minSimilarity === 0 || (similarities.of(documentId) ?? -1) >= request.minSimilarity;
    return { documents: groupByDocument(fused).filter(enough).slice(0, request.limit), similarities };
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
