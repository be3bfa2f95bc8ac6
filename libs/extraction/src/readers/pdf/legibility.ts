import { stopWordShare } from '@acervo/analysis';
import type { RawLine } from '../../reader';

/** Among its distinct words, a text of a known language has more stop words than this, and a cipher of it has fewer. */
const LEAST_STOP_WORDS = 0.08;
/** Fewer words, as on a title page, may lack stop words by chance. */
const LEAST_WORDS = 20;
/** Share of the letters of a page that its fonts must fail to name. */
const MOST_UNNAMED = 0.5;
const HALF = 0.5;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Whether the letters of a page are not those that it shows: its fonts do not name most of them, and the words that come
 * out are of no language. Such a text often is a cipher of the shown one. A page of figures is not judged by its words.
 */
export const isIllegible = (lines: readonly RawLine[], unnamedShare: number): boolean => {
  if (lines.length === 0 || unnamedShare <= MOST_UNNAMED) return false;
  const text = lines.map((line) => line.text).join('\n');
  const signs = countOf(text, /\S/gu);
  const digits = countOf(text, /\p{Nd}/gu);
  if (digits >= HALF * signs) return false;
  const words = text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
  // Too few words to judge by; a cipher into other signs has hardly any.
  if (words.length < LEAST_WORDS) return digits + countOf(text, /\p{L}/gu) < HALF * signs;
  return stopWordShare([...new Set(words)]) < LEAST_STOP_WORDS;
};
