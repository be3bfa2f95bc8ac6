import type { RawLine } from '../../reader';

/** Words that nearly every text of a page has in one of the usual languages. */
const COMMON = new Set(
  (
    'de la el en que los del se las por un una con no para es al lo como su más este esta the of and to in is for on ' +
    'that with as by at from or be this are der die und das von mit den im zu ist ein eine für auf et le les des du ' +
    'dans pour est sur il di del della per che een van het eta da dira ez bat os as do em uma com não els amb per són o'
  ).split(' '),
);
const LEAST_COMMON = 0.05;
/** Share of the letters of a page that its fonts must fail to name. */
const MOST_UNNAMED = 0.5;

/**
 * Whether the letters of a page are not those that it shows: its fonts do not name most of them, and the words that come
 * out are of no language. Such a text often is a cipher of the shown one.
 */
export const isIllegible = (lines: readonly RawLine[], unnamedShare: number): boolean => {
  if (lines.length === 0 || unnamedShare <= MOST_UNNAMED) return false;
  const words = lines.flatMap(({ text }) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? []);
  return words.filter((word) => COMMON.has(word)).length < LEAST_COMMON * Math.max(1, words.length);
};
