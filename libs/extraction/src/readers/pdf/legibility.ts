import { stopWordShare } from '@acervo/analysis';
import type { RawLine } from '../../reader';

/** Among its distinct words, a text of a known language has more stop words than this, and a cipher of it has fewer. */
const LEAST_STOP_WORDS = 0.08;
/** So many words of a cipher are stop words by chance. */
const BY_CHANCE = 1;
/** Fewer words, as on a title page, may lack stop words by chance. */
const LEAST_WORDS = 20;
/** Fewer letters, as in a stamp, have no frequencies. */
const LEAST_LETTERS = 30;
/** Share of the letters of a page that its fonts must fail to name. */
const MOST_UNNAMED = 0.5;
const HALF = 0.5;

/** Letters of European languages, by their number among a thousand letters of texts without accents. */
const FREQUENCIES: Readonly<Record<string, number>> = {
  ...{ e: 125, a: 95, i: 75, o: 72, n: 70, s: 68, r: 65, t: 62, l: 48, d: 45, u: 42, c: 35, m: 30 },
  ...{ p: 24, g: 18, h: 18, b: 15, v: 12, f: 11, k: 10, z: 8, y: 7, q: 6, w: 5, j: 4, x: 3 },
};
const TOTAL = Object.values(FREQUENCIES).reduce((sum, each) => sum + each, 0);
/**
 * Mean likelihoods of a letter in bits. Sentences of 16 languages with 60 letters lie above the first figure, and 9 of 10
 * ciphers of them below it. 99 of 100 ciphers lie below the second one.
 */
const LIKELY = { few: -4.85, many: -4.6 } as const;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The mean likelihood of the letters of a text in bits; null where they are too few, or of another script. */
const likelihoodOf = (text: string): number | null => {
  const letters = text.normalize('NFD').toLowerCase().match(/[a-z]/g) ?? [];
  if (letters.length < LEAST_LETTERS || letters.length < HALF * countOf(text, /\p{L}/gu)) return null;
  return letters.reduce((sum, letter) => sum + Math.log2((FREQUENCIES[letter] ?? 1) / TOTAL), 0) / letters.length;
};

/**
 * Whether the letters of a page are not those that it shows: its fonts do not name most of them, the words that come out
 * are of no known language, and the letters are not as frequent as in one. Such a text often is a cipher of the shown
 * one. A page of figures is not judged by its words.
 */
export const isIllegible = (lines: readonly RawLine[], unnamedShare: number): boolean => {
  if (lines.length === 0 || unnamedShare <= MOST_UNNAMED) return false;
  const text = lines.map((line) => line.text).join('\n');
  const signs = countOf(text, /\S/gu);
  const digits = countOf(text, /\p{Nd}/gu);
  if (digits >= HALF * signs) return false;
  // A cipher into other signs has hardly any letters.
  if (digits + countOf(text, /\p{L}/gu) < HALF * signs) return true;
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  const likelihood = likelihoodOf(text);
  const distinct = [...new Set(words)];
  const leastShare = Math.max(LEAST_STOP_WORDS, BY_CHANCE / distinct.length);
  if (stopWordShare(distinct) > leastShare) return false;
  if (words.length < LEAST_WORDS) return likelihood !== null && likelihood < LIKELY.few;
  return likelihood === null || likelihood < LIKELY.many;
};
