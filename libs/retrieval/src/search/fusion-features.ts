import type { QueryWords } from '@acervo/analysis';
import type { RankedChunk, RankedVector } from '../legs/ranking';
import type { ChunkEvidence } from './evidence.store';
import { chunkKey } from './fusion';

/** What is seen of a query and its legs; the weights of the fusion follow from it. */
export interface FusionFeatures {
  /** How far the vectors hold meaning, from 0 to 1. */
  readonly meaning: number;
  /** Whether the best match by words contains every identifier of the query, of which there is one at least. */
  readonly isIdentified: boolean;
  /**
   * The share of the best matches by meaning that are written in another language than the query. 0 where the best match
   * by words contains every term of the query: the words find what it asks for, and the language of a few words is a
   * guess.
   */
  readonly foreign: number;
  /** How far the best similarity stands out from the best 200 of its leg, in standard deviations. */
  readonly standout: number;
}

/** The best similarities that the first one is compared with: a leg that is read deeper gives the same weight. */
const STANDOUT_OF = 200;

/** The best matches by meaning whose languages are compared with that of the query. */
export const LANGUAGES_READ = 10;

/**
 * The chunks whose evidence the weights need: the best by words, and the best ten by meaning. None where vectors hold no
 * meaning: then the weights follow from that alone.
 */
export const evidenced = ({
  lexical,
  vector,
  meaning,
}: Pick<Seen, 'lexical' | 'vector' | 'meaning'>): readonly RankedChunk[] => {
  if (meaning === 0) return [];
  const hits = [...(lexical ?? []).slice(0, 1), ...(vector ?? []).slice(0, LANGUAGES_READ)];
  return [...new Map(hits.map((hit) => [chunkKey(hit), hit])).values()];
};

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);

const standoutOf = (vector: readonly RankedVector[]): number => {
  const cosines = vector.map(({ cosine }) => cosine);
  const average = mean(cosines);
  const deviation = Math.sqrt(mean(cosines.map((cosine) => (cosine - average) ** 2)));
  return deviation === 0 ? 0 : ((cosines[0] ?? 0) - average) / deviation;
};

/** What the features are computed from. */
export interface Seen {
  readonly words: QueryWords;
  readonly lexical: readonly RankedChunk[] | null;
  readonly vector: readonly RankedVector[] | null;
  readonly meaning: number;
  readonly evidence: readonly ChunkEvidence[];
}

/** The features of a query. A passage in an unknown language counts as one in the language of the query. */
export const featuresOf = ({ words, lexical, vector, meaning, evidence }: Seen): FusionFeatures => {
  const byKey = new Map(evidence.map((each) => [chunkKey(each), each]));
  const [first] = lexical ?? [];
  const found = new Set(first === undefined ? [] : byKey.get(chunkKey(first))?.terms);
  const { identifiers, language } = words;
  const near = (vector ?? []).slice(0, LANGUAGES_READ).flatMap((hit) => byKey.get(chunkKey(hit)) ?? []);
  const isCovered = words.terms.length > 0 && words.terms.every((term) => found.has(term));
  const isForeign = (passage: string): boolean => language !== null && passage !== 'none' && passage !== language;
  return {
    meaning,
    isIdentified: identifiers.length > 0 && identifiers.every((identifier) => found.has(identifier)),
    foreign: isCovered ? 0 : mean(near.map((each) => (isForeign(each.language) ? 1 : 0))),
    standout: standoutOf((vector ?? []).slice(0, STANDOUT_OF)),
  };
};
