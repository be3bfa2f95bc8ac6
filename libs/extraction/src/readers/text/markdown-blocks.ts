import type { Heading, Range, Table } from '@acervo/analysis';
import { type Line, linesOf, proseOf } from './markdown-code';

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^:?-+:?$/;
const LONGEST_TITLE = 200;

const cellsOf = (text: string): string[] =>
  text
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());

const isRuler = (line: Line | undefined): boolean =>
  line !== undefined &&
  line.text.includes('-') &&
  line.text.includes('|') &&
  cellsOf(line.text).every((cell) => RULE.test(cell));

const isRow = (line: Line | undefined): line is Line => line?.text.includes('|') === true;

const tableAt = (prose: ReadonlyMap<number, Line>, index: number): Table | null => {
  const header = prose.get(index);
  if (!isRow(header) || !isRuler(prose.get(index + 1))) return null;
  const rows: Line[] = [];
  for (let next = index + 2, row = prose.get(next); isRow(row); next += 1, row = prose.get(next)) rows.push(row);
  const range = ({ start, end }: Line): Range => ({ start, end });
  const end = rows.at(-1)?.end ?? prose.get(index + 1)?.end ?? header.end;
  return { title: null, header: range(header), rows: rows.map(range), start: header.start, end };
};

const headingAt = (prose: ReadonlyMap<number, Line>, index: number): Heading | null => {
  const line = prose.get(index);
  if (line === undefined) return null;
  const found = HEADING.exec(line.text);
  const title = (found?.[2] ?? line.text)
    .replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')
    .trim()
    .slice(0, LONGEST_TITLE);
  if (found?.[1] !== undefined) return { level: found[1].length, start: line.start, end: line.end, title };
  const under = UNDERLINE.exec(prose.get(index + 1)?.text ?? '')?.[1];
  const isTitle =
    under !== undefined && /^ {0,3}[\p{L}\p{N}]/u.test(line.text) && (prose.get(index - 1)?.text ?? '').trim() === '';
  return isTitle ? { level: under.startsWith('=') ? 1 : 2, start: line.start, end: line.end, title } : null;
};

/** The headings and tables of Markdown, as ranges of its source. Fenced code is ignored. */
export const blocksIn = (text: string): { headings: Heading[]; tables: Table[] } => {
  const prose = proseOf(linesOf(text));
  const headings: Heading[] = [];
  const tables: Table[] = [];
  for (const [index, line] of prose) {
    if (line.start < (tables.at(-1)?.end ?? 0)) continue;
    const heading = headingAt(prose, index);
    const table = heading === null ? tableAt(prose, index) : null;
    if (heading !== null) headings.push(heading);
    if (table !== null) tables.push(table);
  }
  return { headings, tables };
};
