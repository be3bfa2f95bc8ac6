import type { RankedChunk } from '../legs/ranking';
import type { WeightedLeg } from './fusion';
import type { FusionFeatures } from './fusion-features';

/** Weight and k of a leg. */
export type LegSettings = Omit<WeightedLeg, 'ranking'>;

/** How the two legs are fused. */
export interface FusionSettings {
  readonly lexical: LegSettings;
  readonly vector: LegSettings;
}

/** The same k for both legs. */
const K = 6;

/**
 * The weight of vectors that only break ties. At k 6 it adds 0.0043 at most, and the steps between the first eight
 * ranks by words are larger. So the first nine keep their order.
 */
const WORDS_FIRST = 0.03;

/** Fitted to judged collections in docs/adr/0039-weights-for-each-query.md. */
const FITTED = { foreign: 1.2, standout: 0.2, usualStandout: 4 } as const;

/** No query is ranked by vectors alone. */
const MOST = 12;

/**
 * The weight of the vector leg for one query, beside 1 for the lexical leg:
 *
 *     WORDS_FIRST ^ (1 - meaning) * exp(1.2 * foreign + 0.2 * (standout - 4)) ^ meaning, from WORDS_FIRST to 12
 *
 * It is geometric in `meaning`, so an embedder without meaning leaves the order of the words, and a good one has the
 * fitted weight. A query that names an identifier which the best match by words contains is ranked by words.
 */
export const vectorWeight = ({ meaning, isIdentified, foreign, standout }: FusionFeatures): number => {
  if (isIdentified) return WORDS_FIRST;
  const fitted = FITTED.foreign * foreign + FITTED.standout * (standout - FITTED.usualStandout);
  const weight = Math.exp((1 - meaning) * Math.log(WORDS_FIRST) + meaning * fitted);
  return Math.min(MOST, Math.max(WORDS_FIRST, weight));
};

/** How the legs of one query are fused. */
export const fusionOf = (features: FusionFeatures): FusionSettings => ({
  lexical: { weight: 1, k: K },
  vector: { weight: vectorWeight(features), k: K },
});

type Ranking = readonly RankedChunk[] | null;
const NONE: ReadonlySet<string> = new Set();

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
