import { cosine, normalise } from '@acervo/models';
import type { Relevance } from './topic';
import { storedVector } from './stored-vector';

type Weights = ReadonlyMap<string, number>;
type Counts = Readonly<Record<string, number>>;

/** Weights of the rankings that are fused: what the topic says, and what the best pages say beyond it. */
const WEIGHTS = { words: 1, meaning: 1, feedbackWords: 2, feedbackMeaning: 2 } as const;
const MOST_SCORE = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);
/** Reciprocal rank fusion; a small constant lets the first ranks count more. */
const RRF_K = 10;
/** BM25 as the search has it. */
const [K1, B] = [1.2, 0.75];
/**
 * Pages that describe the topic beyond its own words (pseudo relevance feedback) by round: each round trusts the order
 * of the one before, and more of its pages.
 */
const FEEDBACK_PAGES = [8, 14, 20] as const;
const FEEDBACK_TERMS = 60;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** How many pages have each term. */
const pagesHaving = (pages: readonly Counts[]): Map<string, number> => {
  const having = new Map<string, number>();
  for (const counts of pages) for (const term of Object.keys(counts)) having.set(term, (having.get(term) ?? 0) + 1);
  return having;
};

/** How much a term says: one that most pages of a site have says little. */
const rarities = (pages: readonly Counts[]): Weights =>
  new Map(
    [...pagesHaving(pages)].map(([term, having]) => [
      term,
      Math.log(1 + (pages.length - having + 0.5) / (having + 0.5)),
    ]),
  );

/** Terms that the best pages have and others lack, by the weight of Robertson and Sparck Jones. One of a single page is left out. */
const termsOf = (best: readonly Counts[], pages: readonly Counts[]): Weights => {
  const [having, havingBest] = [pagesHaving(pages), pagesHaving(best)];
  const rated = [...havingBest]
    .filter(([, count]) => count > 1)
    .map(([term, count]) => {
      const others = (having.get(term) ?? count) - count;
      const odds = (count + 0.5) / (best.length - count + 0.5);
      const oddsOfOthers = (others + 0.5) / (pages.length - best.length - others + 0.5);
      const weight = Math.log(odds / oddsOfOthers);
      return { term, weight, offer: count * weight };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.offer - a.offer);
  return new Map(rated.slice(0, FEEDBACK_TERMS).map(({ term, weight }) => [term, weight]));
};

/** BM25 of each page for weighted terms. */
const wordScores = (pages: readonly Relevance[], countsOf: (page: Relevance) => Counts, weights: Weights): number[] => {
  const lengths = pages.map(({ length, profile }) => length ?? sum(Object.values(profile)));
  const mean = Math.max(1, sum(lengths) / Math.max(1, pages.length));
  return pages.map((page, index) => {
    const norm = K1 * (1 - B + (B * (lengths[index] ?? 0)) / mean);
    return sum(
      Object.entries(countsOf(page)).map(
        ([term, count]) => ((weights.get(term) ?? 0) * count * (K1 + 1)) / (count + norm),
      ),
    );
  });
};

const meanOf = (vectors: readonly Float32Array[], dimension: number): Float32Array => {
  const mean = new Float32Array(dimension);
  for (const vector of vectors)
    for (let at = 0; at < dimension; at += 1) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0) / vectors.length;
  return mean;
};

/** What of a meaning is its own: without what all pages of the site share. */
const apart = (vector: Float32Array, mean: Float32Array): Float32Array =>
  normalise(Float32Array.from(vector, (value, at) => value - (mean[at] ?? 0)));

/** Meanings of pages among each other; null for a page that was stored without one. */
const meaningsOf = (pages: readonly Relevance[]): (Float32Array | null)[] => {
  const vectors = pages.map(({ vector }) => (vector === undefined ? null : storedVector(vector)));
  const present = vectors.filter((vector) => vector !== null);
  const mean = meanOf(present, present[0]?.length ?? 0);
  return vectors.map((vector) => (vector === null ? null : apart(vector, mean)));
};

/** How near each meaning is to the middle of the best ones. */
const nearness = (meanings: readonly (Float32Array | null)[], best: readonly number[]): number[] => {
  const middle = meanOf(
    best.flatMap((index) => meanings[index] ?? []),
    meanings.find((meaning) => meaning !== null)?.length ?? 0,
  );
  return meanings.map((meaning) => (meaning === null ? 0 : cosine(meaning, middle)));
};

/** Indexes of pages by score, the highest first; a score of 0 has no place. */
const order = (scores: readonly number[]): number[] =>
  scores
    .map((_, index) => index)
    .filter((index) => (scores[index] ?? 0) > 0)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));

/** Adds what a ranking says to the scores of pages. */
const fuse = (fused: number[], scores: readonly number[], weight: number): void => {
  for (const [rank, index] of order(scores).entries())
    fused[index] = (fused[index] ?? 0) + (weight * (RRF_K + 1)) / (RRF_K + 1 + rank) / MOST_SCORE;
};

/**
 * Scores from 0 to 1 of pages among each other: their words and meanings beside those of the topic, and beside those of
 * the best pages that were found so far. A page without any word or meaning of either has 0.
 */
export const scoresOf = (pages: readonly Relevance[]): number[] => {
  const profiles = pages.map(({ profile }) => profile);
  const byWords = wordScores(pages, ({ counts }) => counts, rarities(pages.map(({ counts }) => counts)));
  const byMeaning = pages.map(({ similarity }) => similarity);
  const ofTopic = pages.map(() => 0);
  fuse(ofTopic, byWords, WEIGHTS.words);
  fuse(ofTopic, byMeaning, WEIGHTS.meaning);
  const meanings = meaningsOf(pages);
  return FEEDBACK_PAGES.reduce<number[]>((scores, most) => {
    const best = order(scores).slice(0, most);
    const terms = termsOf(
      best.map((index) => profiles[index] ?? {}),
      profiles,
    );
    const byFeedback = wordScores(pages, ({ profile }) => profile, terms);
    const fused = [...ofTopic];
    fuse(fused, byFeedback, WEIGHTS.feedbackWords);
    fuse(fused, nearness(meanings, best), WEIGHTS.feedbackMeaning);
    return fused.map((score, index) => ((ofTopic[index] ?? 0) + (byFeedback[index] ?? 0) > 0 ? score : 0));
  }, ofTopic);
};
