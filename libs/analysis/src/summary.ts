import type { LanguageCode } from './languages/table';
import { type Range, sentences } from './sentences';
import { tokenize } from './tokens';

const READ = 60_000;

/** Most characters of a summary. A text that is no longer may be its own summary. */
export const SUMMARY_LENGTH = 600;
/** Most of a longer text that its summary takes (ADR 19). */
const SHARE = 0.3;

/** Most characters of the summary of a text with so many characters. */
export const summaryLength = (characters: number): number =>
  characters <= SUMMARY_LENGTH ? SUMMARY_LENGTH : Math.min(SUMMARY_LENGTH, Math.floor(characters * SHARE));

/** A text on one line, with single spaces. */
export const withoutGaps = (text: string): string => text.replace(/\s+/g, ' ').trim();

interface Candidate extends Range {
  readonly index: number;
  readonly score: number;
}

/** Scores a sentence by its share of the vocabulary of the text, with a small bonus for early sentences. */
const scored = (text: string, ranges: readonly Range[], language: LanguageCode): Candidate[] => {
  const tokens = ranges.map(({ start, end }) => [...new Set(tokenize(text.slice(start, end), language))]);
  const weights = new Map<string, number>();
  for (const token of tokens.flat()) weights.set(token, (weights.get(token) ?? 0) + 1);
  return ranges.map((range, index) => {
    const sentenceTokens = tokens[index] ?? [];
    const weight = sentenceTokens.reduce((sum, token) => sum + Math.log1p(weights.get(token) ?? 0), 0);
    return { ...range, index, score: (weight / Math.sqrt(sentenceTokens.length + 4)) * (1 + 0.5 / (1 + index)) };
  });
};

const isProse = (sentence: string): boolean =>
  sentence.length >= 40 && sentence.length <= 400 && !sentence.startsWith('#');

/** White space counts once, as in a summary. */
const mostOf = (text: string): number => summaryLength(withoutGaps(text.slice(0, READ)).length);

/** Which sentences of a text are taken: at most so many, with together at most so many characters. */
export interface SentenceSelection {
  readonly count: number;
  readonly characters: number;
  fits(sentence: string): boolean;
}

/** The most informative sentences of the beginning of a text, in its order. */
export const bestSentences = (
  text: string,
  language: LanguageCode,
  { count, characters, fits }: SentenceSelection,
): Range[] => {
  const read = sentences(text, { start: 0, end: Math.min(text.length, READ) });
  const fitting = read.filter(({ start, end }) => fits(text.slice(start, end)));
  const chosen: Candidate[] = [];
  let length = 0;
  for (const candidate of scored(text, fitting, language).toSorted((a, b) => b.score - a.score)) {
    const size = candidate.end - candidate.start + 1;
    if (length + size > characters || chosen.length >= count) continue;
    chosen.push(candidate);
    length += size;
  }
  return chosen.toSorted((a, b) => a.index - b.index).map(({ start, end }) => ({ start, end }));
};

/**
 * The most informative sentences of a text, verbatim and in order, together at most `most` characters. A text without a
 * sentence of prose is summarised by its beginning.
 */
export const summarise = (text: string, language: LanguageCode, most = mostOf(text)): string => {
  const chosen = bestSentences(text, language, { count: 4, characters: most, fits: isProse });
  if (chosen.length === 0) return withoutGaps(text.slice(0, most)).toWellFormed();
  return chosen.map(({ start, end }) => withoutGaps(text.slice(start, end))).join(' ');
};
