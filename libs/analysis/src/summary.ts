import { fold } from './fold';
import { isOfAnotherLanguage } from './languages/detect';
import type { LanguageCode } from './languages/table';
import { type Range, sentences } from './sentences';
import { tokenize } from './tokens';
import { isWholeSentence, plainBeginning } from './whole-sentences';

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

/**
 * Lengths of sentences that say something by themselves. Those of notes are shorter: they stand for a text of which they
 * are a share, not for a table with a remark.
 */
const LENGTHS = [
  { least: 40, most: 400, share: 0 },
  { least: 12, most: 400, share: 0.15 },
] as const;

/** White space counts once, as in a summary. */
const mostOf = (text: string): number => summaryLength(withoutGaps(text.slice(0, READ)).length);

/** Which sentences of a text are taken: at most so many, with together at most so many characters. */
export interface SentenceSelection {
  readonly count: number;
  readonly characters: number;
  fits(sentence: string, place: Range): boolean;
}

/** The most informative sentences of the beginning of a text, in its order. */
export const bestSentences = (
  text: string,
  language: LanguageCode,
  { count, characters, fits }: SentenceSelection,
): Range[] => {
  const read = sentences(text, { start: 0, end: Math.min(text.length, READ) });
  const fitting = read.filter((place) => fits(text.slice(place.start, place.end), place));
  const chosen: Candidate[] = [];
  const sentencesChosen = new Set<string>();
  let length = 0;
  for (const candidate of scored(text, fitting, language).toSorted((a, b) => b.score - a.score)) {
    const size = candidate.end - candidate.start + 1;
    const words = fold(withoutGaps(text.slice(candidate.start, candidate.end)));
    if (length + size > characters || chosen.length >= count || sentencesChosen.has(words)) continue;
    sentencesChosen.add(words);
    chosen.push(candidate);
    length += size;
  }
  return chosen.toSorted((a, b) => a.index - b.index).map(({ start, end }) => ({ start, end }));
};

/** Whether a place is a whole sentence, and not one of another language than the document. */
export const isOfDocument = (text: string, place: Range, language: LanguageCode): boolean =>
  isWholeSentence(text, place) && !isOfAnotherLanguage(text.slice(place.start, place.end), language);

/**
 * The most informative sentences of a text in its language, verbatim, whole and in order, together at most `most`
 * characters. A text without a sentence of prose is summarised by its beginning, without markup.
 */
export const summarise = (text: string, language: LanguageCode, most = mostOf(text)): string => {
  for (const length of LENGTHS) {
    const chosen = bestSentences(text, language, {
      ...{ count: 4, characters: most },
      fits: (sentence, place) =>
        sentence.length >= length.least && sentence.length <= length.most && isOfDocument(text, place, language),
    });
    const summary = chosen.map(({ start, end }) => withoutGaps(text.slice(start, end))).join(' ');
    if (summary !== '' && summary.length >= length.share * Math.min(text.length, SUMMARY_LENGTH)) return summary;
  }
  return plainBeginning(text.slice(0, READ), most);
};
