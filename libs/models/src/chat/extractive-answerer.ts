import { type LanguageCode, type Range, sentences, tokenize } from '@acervo/analysis';

/** A passage that was found for a question, best first. */
export interface AnswerPassage {
  readonly text: string;
  readonly language: LanguageCode;
}

/** A sentence of an answer and where it stands: the quote is `text.slice(start, end)` of its passage. */
export interface CitedSentence extends Range {
  /** Place of the passage, from 0. */
  readonly passage: number;
  readonly quote: string;
  /** Share of the question that the sentence covers, from 0 to 1. */
  readonly score: number;
}

export interface ExtractiveAnswer {
  /** In the order of the passages; empty when the answerer abstains. */
  readonly sentences: readonly CitedSentence[];
  /** The score of the best sentence. */
  readonly score: number;
}

export interface AnswererOptions {
  /** Score of the best sentence below which there is no answer. */
  readonly threshold: number;
  readonly mostSentences: number;
}

/**
 * Below this share of a question no sentence answers it. Measured on a third of the questions of XQuAD-R, ten sentences
 * by BM25 each: with it 72 % of English and 66 % of Spanish questions get an answer, of which 91 % and 89 % contain the
 * right sentence. Where the right sentence is taken away, 20 % still get an answer (at 0.4: 40 %, at 0.6: 10 %).
 */
export const ANSWER_THRESHOLD = 0.5;

export const DEFAULT_ANSWER: AnswererOptions = { threshold: ANSWER_THRESHOLD, mostSentences: 3 };

const SHORTEST = 20;
const LONGEST = 600;
/** Sentences below this share of the best one add nothing to an answer. */
const SHARE_OF_BEST = 0.6;

interface Candidate extends Range {
  readonly passage: number;
  readonly tokens: ReadonlySet<string>;
}

const candidatesOf = (passages: readonly AnswerPassage[]): Candidate[] =>
  passages.flatMap(({ text, language }, passage) =>
    sentences(text)
      .filter(({ start, end }) => end - start >= SHORTEST && end - start <= LONGEST && text[start] !== '#')
      .map((range) => ({ ...range, passage, tokens: new Set(tokenize(text.slice(range.start, range.end), language)) })),
  );

/** The weight of each term of a question: the rarer among the sentences, the heavier. */
const weightsOf = (terms: ReadonlySet<string>, candidates: readonly Candidate[]): ReadonlyMap<string, number> =>
  new Map(
    [...terms].map((term) => {
      const holders = candidates.filter(({ tokens }) => tokens.has(term)).length;
      return [term, Math.log1p(candidates.length / (1 + holders))];
    }),
  );

/**
 * Answers a question by sentences of passages, to the letter. Without a sentence that covers enough of the question it
 * abstains: an answer without sentences.
 */
export const extractAnswer = (
  question: string,
  passages: readonly AnswerPassage[],
  { threshold, mostSentences }: AnswererOptions = DEFAULT_ANSWER,
): ExtractiveAnswer => {
  const languages = [...new Set(passages.map(({ language }) => language))];
  const candidates = candidatesOf(passages);
  const byLanguage = new Map(
    languages.map((language) => {
      const terms = new Set(tokenize(question, language));
      return [language, weightsOf(terms, candidates)] as const;
    }),
  );
  const scored = candidates.map((candidate) => {
    const { text = '', language } = passages[candidate.passage] ?? {};
    const weights = (language === undefined ? undefined : byLanguage.get(language)) ?? new Map<string, number>();
    const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    const covered = [...weights].reduce((sum, [term, weight]) => sum + (candidate.tokens.has(term) ? weight : 0), 0);
    const quote = text.slice(candidate.start, candidate.end);
    return { ...candidate, quote, score: all === 0 ? 0 : covered / all };
  });
  const best = scored.toSorted((a, b) => b.score - a.score);
  const score = best[0]?.score ?? 0;
  if (score < threshold) return { sentences: [], score };
  const chosen = best.filter((each) => each.score >= score * SHARE_OF_BEST).slice(0, mostSentences);
  return {
    score,
    sentences: chosen
      .toSorted((a, b) => a.passage - b.passage || a.start - b.start)
      .map(({ passage, start, end, quote, score: share }) => ({ passage, start, end, quote, score: share })),
  };
};
