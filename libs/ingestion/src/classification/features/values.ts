import type { ValueKind } from '../../taxonomy/taxonomy';
import { readAmount, readBareAmount } from './amounts';
import { readDate } from './dates';
import { readNumber } from './numbers';
import { matchAt, type ReadValue, type ValueReader } from './scanner';

const BOOLEAN = /(?:(s[ií]|yes|true|verdadero)|no|false|falso)(?!\p{L})/iuy;
/** The rest of a line, up to the end of its field. */
const FIELD = /[^\n\r;|\t]{1,200}/y;
const MARKS = /^[.,;:]*$/;
const LONGEST_TEXT = 500;
const END_OF_TEXT = /[\s.,;:]$/;
/** Runs of white space are one space in a canonical text. */
const SPACES = /\s+/g;

const readBoolean: ValueReader = (text, at) => {
  const found = matchAt(BOOLEAN, text, at);
  return found === undefined ? undefined : { value: String(found[1] !== undefined), end: at + found[0].length };
};

const readText: ValueReader = (text, at): ReadValue | undefined => {
  let end = at + (matchAt(FIELD, text, at)?.[0].length ?? 0);
  while (end > at && END_OF_TEXT.test(text[end - 1] ?? '')) end -= 1;
  return end === at ? undefined : { value: text.slice(at, end).replace(SPACES, ' '), end };
};

const readers: Readonly<Record<ValueKind, ValueReader>> = {
  DATE: readDate,
  AMOUNT: readAmount,
  NUMBER: readNumber,
  BOOLEAN: readBoolean,
  TEXT: readText,
};

/** The value that begins at a place of a text, in canonical form. */
export const valueAt = (kind: ValueKind, text: string, at: number, language: string | null): ReadValue | undefined =>
  readers[kind](text, at, language);

interface Range {
  readonly start: number;
  readonly end: number;
}

const textOf = (text: string, { start, end }: Range): ReadValue | undefined => {
  const value = text
    .slice(start, Math.min(end, start + LONGEST_TEXT))
    .trim()
    .replace(SPACES, ' ');
  return value === '' ? undefined : { value, end };
};

const wholeAt = (kind: ValueKind, text: string, { start, end }: Range, language: string | null) => {
  const isWhole = (read: ReadValue | undefined): read is ReadValue =>
    read !== undefined && read.end <= end && MARKS.test(text.slice(read.end, end));
  const read = valueAt(kind, text, start, language);
  if (isWhole(read)) return read;
  const bare = kind === 'AMOUNT' ? readBareAmount(text, start, language) : undefined;
  return isWhole(bare) ? bare : undefined;
};

/** Accounts write a negative number in brackets. */
const bracketed = (kind: ValueKind, text: string, { start, end }: Range, language: string | null) => {
  const isNumber = kind === 'AMOUNT' || kind === 'NUMBER';
  if (!isNumber || text[start] !== '(' || text[end - 1] !== ')') return undefined;
  const read = wholeAt(kind, text, { start: start + 1, end: end - 1 }, language);
  return read === undefined || read.end < end - 1 || read.value.startsWith('-')
    ? undefined
    : { value: `-${read.value}`, end };
};

/**
 * The canonical form of a range, as a pattern found it; undefined where it is no value of the kind. Marks of the
 * sentence behind a value are not part of it.
 */
export const valueOf = (kind: ValueKind, text: string, range: Range, language: string | null): ReadValue | undefined =>
  kind === 'TEXT'
    ? textOf(text, range)
    : (wholeAt(kind, text, range, language) ?? bracketed(kind, text, range, language));
