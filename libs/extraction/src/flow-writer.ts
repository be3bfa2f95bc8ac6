import { oneLine, type TextBuilder } from './text-builder';

interface Block {
  readonly text: string;
  readonly level: number;
}

interface Row {
  readonly cells: Block[][];
  isHeader: boolean;
}

interface OpenTable {
  readonly rows: Row[];
  /** Blocks of the table outside its cells, such as a caption. */
  readonly outside: Block[];
  readonly title: string | null;
}

/** Limit of a column span, above any readable table; a larger span is reduced to it. */
const MOST_SPAN = 64;

const LONGEST_HEADING = 300;
/** A cell of this length frames a text, as newsletters do with their columns. */
const LONGEST_CELL = 2_000;

const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join(' ');

/** Whether the rows only place paragraphs on a page, without aligned columns. */
const isFrame = (rows: readonly Row[]): boolean =>
  rows.every(({ cells }) => cells.filter((cell) => cell.length > 0).length < 2) ||
  rows.some(({ cells }) => cells.some((cell) => textOf(cell).length > LONGEST_CELL));

/**
 * Writes a document of paragraphs and tables in the order of its source. A nested table becomes text of its cell. A
 * table of one column, or with a whole text in a cell, is a frame and written as paragraphs. Notes follow the block
 * that refers to them.
 */
export class FlowWriter {
  private readonly tables: OpenTable[] = [];
  private notes: string[] = [];
  private expected: string | null = null;

  constructor(private readonly builder: TextBuilder) {}

  /** @param level of a heading, 1 the highest; 0 for a paragraph. */
  paragraph(text: string, level = 0): void {
    if (text.trim() === '') return;
    const table = this.tables.at(-1);
    const blocks = table?.rows.at(-1)?.cells.at(-1) ?? table?.outside;
    if (blocks !== undefined) blocks.push({ text, level });
    else this.write({ text, level });
  }

  /** The heading above the next block, unless that block is a heading or repeats it; null for none. */
  expectHeading(title: string | null): void {
    this.expected = title === null ? null : oneLine(title);
  }

  /** A separate text such as a footnote: it follows the block, or the table, in progress. */
  note(text: string): void {
    this.notes.push(text);
  }

  openTable(title: string | null = null): void {
    this.tables.push({ rows: [], outside: [], title });
  }

  openRow(isHeader = false): void {
    this.tables.at(-1)?.rows.push({ cells: [], isHeader });
  }

  /** The row that is open names the columns. */
  markHeader(): void {
    const row = this.tables.at(-1)?.rows.at(-1);
    if (row !== undefined) row.isHeader = true;
  }

  openCell(): void {
    this.tables.at(-1)?.rows.at(-1)?.cells.push([]);
  }

  /** @param span columns that the open cell covers. */
  closeCell(span = 1): void {
    const row = this.tables.at(-1)?.rows.at(-1);
    for (let column = 1; column < Math.min(span, MOST_SPAN); column += 1) row?.cells.push([]);
  }

  closeTable(): void {
    const table = this.tables.pop();
    if (table === undefined) return;
    const rows = table.rows.filter(({ cells }) => cells.some((blocks) => blocks.length > 0));
    for (const { text, level } of table.outside) this.paragraph(text, level);
    if (this.tables.length > 0) for (const { cells } of rows) this.paragraph(cells.map(textOf).join(' | '));
    else if (isFrame(rows)) for (const block of rows.flatMap(({ cells }) => cells.flat())) this.write(block);
    else this.writeTable(rows, table.title);
  }

  /** Closes open tables and writes the remaining notes. */
  end(): void {
    while (this.tables.length > 0) this.closeTable();
    this.flushNotes();
  }

  private writeTable(rows: readonly Row[], title: string | null): void {
    this.writeExpected();
    // The first row names the columns unless another is marked, as in nearly every table.
    const named = rows[0]?.isHeader === true || (rows.length > 1 && rows.every(({ isHeader }) => !isHeader));
    this.builder.startTable(title);
    rows.forEach(({ cells }, index) => this.builder.row(cells.map(textOf), index === 0 && named));
    this.builder.endTable();
    this.flushNotes();
  }

  private write({ text, level }: Block): void {
    const isExpected = this.expected !== null && this.expected === oneLine(text);
    if (level > 0 || isExpected) this.expected = null;
    else this.writeExpected();
    // A long heading is a paragraph in the wrong style.
    if (level > 0 && text.length <= LONGEST_HEADING) this.builder.heading(level, text);
    else if (isExpected) this.builder.heading(1, text);
    else this.builder.paragraph(text);
    this.flushNotes();
  }

  private writeExpected(): void {
    const { expected } = this;
    this.expected = null;
    if (expected !== null) this.builder.heading(1, expected);
  }

  private flushNotes(): void {
    const { notes } = this;
    this.notes = [];
    for (const note of notes) this.builder.paragraph(note);
  }
}
