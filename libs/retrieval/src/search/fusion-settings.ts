import type { RankedChunk } from '../legs/ranking';
import type { WeightedLeg } from './fusion';

/** Weight and k of a leg. */
export type LegSettings = Omit<WeightedLeg, 'ranking'>;

/** How the two legs are fused. */
export interface FusionSettings {
  readonly lexical: LegSettings;
  readonly vector: LegSettings;
}

/** For models with semantics; measured with multilingual-e5-small in docs/adr/0007-search-quality.md. */
const MEANING: FusionSettings = { lexical: { weight: 1, k: 6 }, vector: { weight: 1.1, k: 6 } };

/**
 * By the model of the embedding index. The built-in embedder compares spellings and no meaning. At k 10 the step from
 * rank 1 to 2 is 0.0076, and its leg adds 0.0045 at most. So the best match by words stays first.
 */
const byModel: Readonly<Record<string, FusionSettings>> = {
  hashing: { lexical: { weight: 1, k: 10 }, vector: { weight: 0.05, k: 10 } },
};

export const fusionFor = (model: string): FusionSettings => byModel[model] ?? MEANING;

/** The legs of a search with their settings; a leg that did not answer ranks nothing. */
export const weighted = (
  rankings: {
    readonly lexical: readonly RankedChunk[] | null;
    readonly vector: readonly RankedChunk[] | null;
  },
  settings: FusionSettings,
): WeightedLeg[] => [
  { ranking: rankings.lexical ?? [], ...settings.lexical },
  { ranking: rankings.vector ?? [], ...settings.vector },
];
