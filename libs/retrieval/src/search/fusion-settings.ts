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

type Ranking = readonly RankedChunk[] | null;
const NONE: ReadonlySet<string> = new Set();

export const fusionFor = (model: string): FusionSettings => byModel[model] ?? MEANING;

/**
 * The legs of a search with their settings; a leg that did not answer ranks nothing. The vector leg cannot rank
 * documents whose vectors are still to come: where it answered, they have their lexical rank in it. So they keep the
 * order that words give them, and those with vectors do not pass them for having vectors alone
 * (docs/adr/0022-words-first.md).
 */
export const weighted = (
  { lexical, vector }: { readonly lexical: Ranking; readonly vector: Ranking },
  settings: FusionSettings,
  withoutVectors: ReadonlySet<string> = NONE,
): WeightedLeg<RankedChunk | null>[] => [
  { ranking: lexical ?? [], ...settings.lexical },
  { ranking: vector ?? [], ...settings.vector },
  ...(vector === null || withoutVectors.size === 0
    ? []
    : [
        {
          ranking: (lexical ?? []).map((hit) => (withoutVectors.has(hit.documentId) ? hit : null)),
          ...settings.vector,
        },
      ]),
];
