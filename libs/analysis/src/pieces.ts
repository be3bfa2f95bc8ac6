import type { ExtractedText, Table } from './extracted-text';
import { type Range, sentences } from './sentences';
import { countTokens } from './token-count';

/** The unit of chunks: a sentence, or a row of a table. */
export interface Piece extends Range {
  readonly tokens: number;
  /** The table that the piece is a row of. */
  readonly table?: Table;
}

/** Maximum characters of one token, which bounds the window for a cut. */
const LONGEST_TOKEN = 16;

const trimmed = (text: string, { start, end }: Range): Range => {
  const body = text.slice(start, end);
  return { start: start + (body.length - body.trimStart().length), end: end - (body.length - body.trimEnd().length) };
};

/** The end of the longest beginning with at most `most` tokens: after white space, never inside a character. */
const cutPoint = (text: string, { start, end }: Range, most: number): number => {
  let [low, high] = [start + 1, Math.min(end, start + most * LONGEST_TOKEN)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(text.slice(start, middle)) <= most) low = middle;
    else high = middle - 1;
  }
  for (let index = low; index > start + (low - start) / 2; index -= 1)
    if (/\s/.test(text[index - 1] ?? '')) return index;
  const code = text.charCodeAt(low);
  const inside = code >= 0xdc00 && code <= 0xdfff;
  return inside && low - 1 > start ? low - 1 : low + (inside ? 1 : 0);
};

/** A range as pieces that all have at most `most` tokens. */
const cutLong = (text: string, range: Range, most: number, table?: Table): Piece[] => {
  const pieces: Piece[] = [];
  let { start } = range;
  const { end } = range;
  const add = (until: number): void => {
    const part = trimmed(text, { start, end: until });
    const tokens = countTokens(text.slice(part.start, part.end));
    if (part.end > part.start) pieces.push({ ...part, tokens, ...(table === undefined ? {} : { table }) });
    start = until;
  };
  const tooLong = (): boolean => end - start > most * LONGEST_TOKEN || countTokens(text.slice(start, end)) > most;
  while (tooLong()) add(cutPoint(text, { start, end }, most));
  if (start < end) add(end);
  return pieces;
};

/** The rows of a table that begin in a range, clipped to it; the header row is joined with the first row below it. */
const rowsWithin = (table: Table, { start, end }: Range): Range[] => {
  const rows = [...(table.header === null ? [] : [table.header]), ...table.rows]
    .filter((row) => row.start >= start && row.start < end)
    .map((row) => ({ start: row.start, end: Math.min(row.end, end) }));
  const [first, second, ...others] = rows;
  if (first === undefined || second === undefined || first.start !== table.header?.start) return rows;
  return [{ start: first.start, end: second.end }, ...others];
};

/** The tables that have a part in a range. */
const tablesWithin = (tables: readonly Table[], { start, end }: Range): Table[] => {
  let [low, high] = [0, tables.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tables[middle]?.end ?? Infinity) <= start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((tables[last]?.start ?? Infinity) < end) last += 1;
  return tables.slice(low, last);
};

/** The pieces of a part of a text, in order: rows inside tables, sentences everywhere else. */
export const piecesOf = ({ text, tables }: ExtractedText, within: Range, most: number): Piece[] => {
  const pieces: Piece[] = [];
  let position = within.start;
  const prose = (end: number): void => {
    if (end > position)
      for (const sentence of sentences(text, { start: position, end })) pieces.push(...cutLong(text, sentence, most));
    position = Math.max(position, end);
  };
  for (const table of tablesWithin(tables, within))
    for (const row of rowsWithin(table, within)) {
      prose(row.start);
      const start = Math.max(row.start, position);
      if (row.end > start) pieces.push(...cutLong(text, { start, end: row.end }, most, table));
      position = Math.max(position, row.end);
    }
  prose(within.end);
  return pieces;
};
