import { NotFound, type SearchRequest } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Visibility } from '@acervo/rbac';
import type { LocationStore } from '../locations/location.store';
import type { LiveSpace, SpaceStore } from '../spaces/space.store';
import { type FusedChunk, fuse } from './fusion';
import { fusionFor, weighted } from './fusion-settings';
import type { HydrationStore } from './hydration.store';
import type { LegReader, Rankings } from './leg-reader';
import { SearchUnavailable, SimilarityUnavailable } from './search.errors';
import { Similarities } from './similarities';

/** What a query ranks, before anything is left out. */
export interface Ranked {
  readonly space: LiveSpace;
  readonly rankings: Rankings;
  /** Every chunk that a leg ranks, best first. */
  readonly chunks: readonly FusedChunk[];
  readonly similarities: Similarities;
}

export interface RankerParts {
  readonly spaces: SpaceStore;
  readonly hydration: HydrationStore;
  readonly locations: LocationStore;
  readonly legs: LegReader;
}

const carriesCodes = ({ filter }: SearchRequest): boolean =>
  [filter?.documentTypes, filter?.attributes, filter?.characteristics].some((codes) => (codes?.length ?? 0) > 0);

/** Ranks what is visible by both legs: one way for an answer and for its explanation. */
export class Ranker {
  constructor(private readonly parts: RankerParts) {}

  /**
   * The space that a request searches; undefined where there is nothing to find. Who sees nothing is told so here: a leg
   * would walk every match of the group to find out.
   * @throws NotFound for a space or folder that is not there for this caller
   */
  async spaceFor(tx: Transaction, visibility: Visibility, request: SearchRequest): Promise<LiveSpace | undefined> {
    if (request.spaceId !== undefined) throw new NotFound();
    const { hydration, locations, spaces } = this.parts;
    const { locationCode } = visibility;
    if (locationCode !== null && !(await locations.sees(tx, visibility, locationCode))) throw new NotFound();
    if (carriesCodes(request)) return undefined;
    const [seesAny, live] = await Promise.all([hydration.seesAny(tx, visibility), spaces.live(tx)]);
    return seesAny ? live : undefined;
  }

  /** @throws SearchUnavailable; SimilarityUnavailable */
  async rank(visibility: Visibility, space: LiveSpace, request: SearchRequest): Promise<Ranked> {
    const { query, limit: documents, minSimilarity } = request;
    const rankings = await this.parts.legs.read({ query, documents, visibility, space });
    const { lexical, vector } = rankings;
    if (lexical === null && vector === null) throw new SearchUnavailable();
    if (vector === null && minSimilarity > 0) throw new SimilarityUnavailable();
    return {
      space,
      rankings,
      chunks: fuse(weighted(rankings, fusionFor(space.model))),
      similarities: new Similarities(vector ?? [], space.floor),
    };
  }
}
