import type { Relevance } from './topic';

type Weights = ReadonlyMap<string, number>;
type Counts = Readonly<Record<string, number>>;

/** Share of the words of the topic in a score, that of the words of the best pages, and that of the meaning. */
const SHARES = { topic: 0.4, feedback: 0.45, meaning: 0.15 } as const;
/** Pages whose words describe the topic beyond its own (relevance feedback by Rocchio), and how many of their words. */
const FEEDBACK_PAGES = 8;
const FEEDBACK_TERMS = 60;

/** How much a term says: one that most pages of a site have says little. */
const weightsOf = (pages: readonly Counts[]): Weights => {
  const having = new Map<string, number>();
  for (const counts of pages) for (const term of Object.keys(counts)) having.set(term, (having.get(term) ?? 0) + 1);
  return new Map(
    [...having].map(([term, count]) => [term, Math.log(1 + (pages.length - count + 0.5) / (count + 0.5))]),
  );
};

/** A further mention says less than the first one. */
const saturated = (count: number): number => count / (count + 1);

const ratedBy = (pages: readonly Counts[], weights: Weights): number[] => {
  const rated = pages.map((counts) =>
    Object.entries(counts).reduce((sum, [term, count]) => sum + (weights.get(term) ?? 0) * saturated(count), 0),
  );
  const most = Math.max(Number.EPSILON, ...rated);
  return rated.map((rate) => rate / most);
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Terms of the best pages by what they say there; a term of one page alone is left out. */
const feedbackOf = (best: readonly Counts[], weights: Weights): Weights => {
  const terms = [...new Set(best.flatMap((counts) => Object.keys(counts)))];
  const rated = terms.map((term) => {
    const counts = best.map((page) => page[term] ?? 0);
    const shared = counts.filter((count) => count > 0).length > 1;
    return [term, shared ? mean(counts.map(saturated)) * (weights.get(term) ?? 0) : 0] as const;
  });
  return new Map(rated.toSorted(([, a], [, b]) => b - a).slice(0, FEEDBACK_TERMS));
};

/** Scores from 0 to 1 of pages among each other. One without anything of the topic has 0. */
export const scoresOf = (pages: readonly Relevance[]): number[] => {
  const counts = pages.map((page) => page.counts);
  const profiles = pages.map(({ profile }) => profile);
  const byTopic = ratedBy(counts, weightsOf(counts));
  const first = pages.map(({ similarity }, index) => (byTopic[index] ?? 0) + similarity);
  const best = pages
    .map((_, index) => index)
    .filter((index) => (first[index] ?? 0) > 0)
    .toSorted((a, b) => (first[b] ?? 0) - (first[a] ?? 0))
    .slice(0, FEEDBACK_PAGES);
  const byFeedback = ratedBy(
    profiles,
    feedbackOf(
      best.map((index) => profiles[index] ?? {}),
      weightsOf(profiles),
    ),
  );
  return pages.map(
    ({ similarity }, index) =>
      SHARES.topic * (byTopic[index] ?? 0) + SHARES.feedback * (byFeedback[index] ?? 0) + SHARES.meaning * similarity,
  );
};
