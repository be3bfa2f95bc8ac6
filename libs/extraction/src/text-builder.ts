import { type ExtractedText, type Heading, type Page, plainText, type Range, type Table } from '@acervo/analysis';
import { LimitExceeded, NoTextFound } from './errors';
import type { PagedFacts, ReadLimits } from './reader';
import { cleanText } from './clean-text';

const LONGEST_TITLE = 200;

interface OpenTable {
  readonly title: string | null;
  header: Range | null;
  readonly rows: Range[];
}

/** Text on one line: every run of white space is one space. */
export const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim();

/** The first line, if it is short enough for a title. */
const firstLine = (text: string): string | null => {
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  return line.length <= LONGEST_TITLE ? line : null;
};

/** A fact of a file in displayable form: one line of limited length, null if blank. */
export const factOf = (value: string | null | undefined): string | null => oneLine(value ?? '').slice(0, 1_000) || null;

/** A date of a file, in ISO 8601 and UTC; null for an invalid date. */
export const dateOf = (value: string | number | Date | null | undefined): string | null => {
  if (value === null || value === undefined || value === '') return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};

/**
 * Builds a text from pieces and records their ranges; a returned range stays valid. Pieces are cleaned on arrival;
 * blank ones are dropped and have no range.
 */
export class TextBuilder {
  private readonly pieces: string[] = [];
  private readonly pages: Page[] = [];
  private readonly headings: Heading[] = [];
  private readonly tables: Table[] = [];
  private length = 0;
  /** Where the text after the first running lines begins. */
  private bodyStart = 0;
  private page: { number: number; start: number } | null = null;
  private table: OpenTable | null = null;

  constructor(private readonly limits: Pick<ReadLimits, 'characters' | 'pages'>) {}

  /** Whether nothing was appended. */
  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Appends a block after a blank line. It may have several lines. */
  paragraph(text: string): Range | null {
    return this.append('\n\n', cleanText(text).trim());
  }

  /** Appends a line of a page header or footer: a paragraph that never names the document. */
  running(text: string): void {
    const isFirst = this.bodyStart === this.length;
    this.paragraph(text);
    if (isFirst) this.bodyStart = this.length;
  }

  /** Appends a separate line directly below the last one. */
  line(text: string): Range | null {
    return this.append('\n', cleanText(text).trim());
  }

  /** @param level 1 is the highest. */
  heading(level: number, text: string): Range | null {
    const title = oneLine(text);
    const range = this.append('\n\n', title);
    if (range !== null) this.headings.push({ ...range, level, title: title.slice(0, LONGEST_TITLE) });
    return range;
  }

  /** Text until the next page or `endPage` belongs to this page. */
  startPage(number: number): void {
    this.endPage();
    if (this.pages.length >= this.limits.pages) throw new LimitExceeded('pages', this.limits.pages);
    this.page = { number, start: -1 };
  }

  endPage(): void {
    if (this.page !== null && this.page.start >= 0) this.pages.push({ ...this.page, end: this.length });
    this.page = null;
  }

  /** Rows that follow belong to one table, until `endTable`. */
  startTable(title: string | null): void {
    this.endTable();
    this.table = { title: factOf(title)?.slice(0, LONGEST_TITLE) ?? null, header: null, rows: [] };
  }

  /** Writes one row on one line, its cells separated by ` | `. Empty cells at the end are left out. */
  row(cells: readonly string[], isHeader = false): Range | null {
    // Many cells may form one long string: its length is computed before it is built.
    this.assertRoom(cells.reduce((size, { length }) => size + length, 0));
    const filled = cells.map(oneLine);
    while (filled.at(-1) === '') filled.pop();
    const first = this.table === null || (this.table.rows.length === 0 && this.table.header === null);
    const range = this.append(first ? '\n\n' : '\n', filled.join(' | '));
    if (range === null || this.table === null) return range;
    if (isHeader && first) this.table.header = range;
    else this.table.rows.push(range);
    return range;
  }

  /** A table without rows is dropped. */
  endTable(): void {
    const { table } = this;
    this.table = null;
    const start = table?.header?.start ?? table?.rows[0]?.start;
    const end = table?.rows.at(-1)?.end ?? table?.header?.end;
    if (table !== null && start !== undefined && end !== undefined) this.tables.push({ ...table, start, end });
  }

  /** Discards everything that is appended from now on when the returned function is called. */
  checkpoint(): () => void {
    const { length, bodyStart, page, table } = this;
    const lists = [this.pieces, this.pages, this.headings, this.tables].map((list) => ({ list, size: list.length }));
    return () => {
      for (const { list, size } of lists) list.length = size;
      Object.assign(this, { length, bodyStart, page, table });
    };
  }

  /** @throws NoTextFound when nothing was appended. */
  build(facts: Partial<PagedFacts> = {}): ExtractedText {
    this.endTable();
    this.endPage();
    if (this.length === 0) throw new NoTextFound();
    const { pages, headings, tables } = this;
    const text = this.pieces.join('');
    const body = this.bodyStart < text.length ? text.slice(this.bodyStart).trimStart() : text;
    const title = facts.title ?? firstLine(body) ?? headings[0]?.title ?? null;
    return plainText(text, { pages, headings, tables, ...facts, title });
  }

  private assertRoom(more: number): void {
    const { characters } = this.limits;
    if (this.length + more > characters) throw new LimitExceeded('characters of text', characters);
  }

  private append(separator: string, piece: string): Range | null {
    if (piece === '') return null;
    const before = this.length === 0 ? '' : separator;
    const start = this.length + before.length;
    this.length = start + piece.length;
    this.assertRoom(0);
    this.pieces.push(before, piece);
    if (this.page !== null && this.page.start < 0) this.page.start = start;
    return { start, end: this.length };
  }
}
