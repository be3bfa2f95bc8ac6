import type { Range } from '@acervo/analysis';
import type { ValueKind } from '../../taxonomy/taxonomy';
import { valueAt, valueOf } from './values';

/** A value in canonical form, and where it stands. */
interface PlacedValue extends Range {
  readonly value: string;
}

const LETTER = /[\p{L}\p{N}]/u;
const SPACES = /\s+/g;
/** Longest value of a kind that has a notation, such as a date in words. */
const LONGEST = 100;

const withoutSpaces = (text: string): string => text.replace(SPACES, ' ').trim();

/** Whether a word or a number may begin at a place: not within another one. */
const mayBegin = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 2), at);
  return !LETTER.test(before.at(-1) ?? '') && !/\d[.,]$/u.test(before);
};

const mayEnd = (text: string, at: number): boolean => !(LETTER.test(text[at - 1] ?? '') && LETTER.test(text[at] ?? ''));

/** Where words stand in a part of a text as whole words, whatever white space is between them. */
function* placesOf(text: string, { start, end }: Range, words: string): Iterable<Range> {
  const first = words[0];
  if (first === undefined) return;
  for (let at = text.indexOf(first, start); at >= 0 && at < end; at = text.indexOf(first, at + 1)) {
    let [place, to] = [0, at];
    for (; place < words.length && to < end; place += 1) {
      const isGap = words[place] === ' ' && /\s/.test(text[to] ?? '');
      if (!isGap && words[place] !== text[to]) break;
      to += 1;
      while (isGap && to < end && /\s/.test(text[to] ?? '')) to += 1;
    }
    if (place === words.length && mayBegin(text, at) && mayEnd(text, to)) yield { start: at, end: to };
  }
}

/**
 * A value that is stated within a part of a text, as a model writes it: in the words of the text, or in canonical form.
 * Undefined where the text does not state it as a value of the kind.
 */
export const matchingValue = (
  kind: ValueKind,
  text: string,
  part: Range,
  language: string | null,
  written: string,
): PlacedValue | undefined => {
  const wanted = withoutSpaces(written);
  for (const place of placesOf(text, part, wanted)) {
    const read = valueOf(kind, text, place, language);
    if (read !== undefined) return { start: place.start, end: read.end, value: read.value };
  }
  if (kind === 'TEXT' || wanted.length > LONGEST) return undefined;
  for (let at = part.start; at < part.end; at += 1) {
    const read = mayBegin(text, at) ? valueAt(kind, text, at, language) : undefined;
    if (read !== undefined && read.end <= part.end && read.value === wanted)
      return { start: at, end: read.end, value: read.value };
  }
  return undefined;
};
