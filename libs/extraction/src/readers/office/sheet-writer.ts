import type { TextBuilder } from '../../text-builder';

/** A formatted cell, and whether it contains words: figures and dates never name a column. */
export interface SheetCell {
  readonly text: string;
  readonly isWords: boolean;
  /** The comment of the cell. */
  readonly note?: string;
}

/** Rows that may contain the column names. */
const LOOKED_AT = 20;
const EMPTY: SheetCell = { text: '', isWords: false };
/** Maximum run of empty cells that keeps columns aligned; beyond it there is no readable table. */
const MOST_GAP = 64;

const filled = (row: readonly SheetCell[]): SheetCell[] => row.filter(({ text }) => text.trim() !== '');

/** Years and days can name columns as words can, but also occur in rows. */
const isPeriod = ({ text }: SheetCell): boolean =>
  /^(?:19|20)\d\d(?:-\d\d-\d\d)?$|\((?:19|20)\d\d-\d\d-\d\d\)$/.test(text);
const allWords = (cells: readonly SheetCell[]): boolean => cells.every(({ isWords }) => isWords);
const allLabels = (cells: readonly SheetCell[]): boolean => cells.every((cell) => cell.isWords || isPeriod(cell));

/**
 * The row that names the columns: the first as wide as most rows (at least two cells), without a repeated cell. It
 * consists of words, or of words, years and days if the row below does not. -1 without such a row.
 */
export const headerIndex = (rows: readonly (readonly SheetCell[])[]): number => {
  const cells = rows.map(filled);
  const widths = cells.map(({ length }) => length).toSorted((a, b) => a - b);
  const least = Math.max(2, (widths[Math.floor(widths.length / 2)] ?? 0) * 0.75);
  return cells.findIndex((row, index) => {
    const below = cells[index + 1];
    if (below === undefined || row.length < least) return false;
    const distinct = new Set(row.map(({ text }) => text)).size === row.length;
    return distinct && (allWords(row) || (allLabels(row) && !allLabels(below)));
  });
};

/** Writes a sheet row by row: text above its header as lines, then one table under the name of the sheet. */
export class SheetWriter {
  private waiting: SheetCell[][] | null = [];
  /** Empty columns on the left, among the buffered rows. */
  private margin = 0;
  private isEmpty = true;
  private readonly headerNotes: string[] = [];

  constructor(
    private readonly builder: TextBuilder,
    private readonly title: string,
  ) {}

  /** @param cells with their columns, from 0, in rising order. */
  row(cells: readonly (readonly [column: number, cell: SheetCell])[]): void {
    const row: SheetCell[] = [];
    for (const [column, cell] of cells) {
      if (cell.text.trim() === '' && cell.note === undefined) continue;
      const gap = column - row.length;
      if (gap <= MOST_GAP) for (let missing = 0; missing < gap; missing += 1) row.push(EMPTY);
      row.push(cell);
    }
    if (row.length === 0) return;
    if (this.waiting === null) return this.write(row, false);
    this.waiting.push(row);
    if (this.waiting.length === LOOKED_AT) this.begin(this.waiting);
  }

  end(): void {
    if (this.waiting !== null) this.begin(this.waiting);
    this.builder.endTable();
    for (const note of this.headerNotes) this.builder.paragraph(note);
  }

  /** Texts that belong to the sheet and follow its table. */
  beside(texts: readonly string[]): void {
    const shown = texts.filter((text) => text.trim() !== '');
    if (shown.length > 0 && this.isEmpty) this.builder.heading(1, this.title);
    for (const text of shown) this.builder.paragraph(text);
  }

  private begin(rows: readonly SheetCell[][]): void {
    this.waiting = null;
    if (rows.length === 0) return;
    this.isEmpty = false;
    this.margin = Math.min(...rows.map((row) => row.findIndex((cell) => cell !== EMPTY)));
    const header = headerIndex(rows);
    this.builder.heading(1, this.title);
    for (const row of rows.slice(0, Math.max(0, header))) this.write(row, false);
    this.builder.startTable(this.title);
    rows.slice(Math.max(0, header)).forEach((row, index) => this.write(row, index === 0 && header >= 0));
  }

  private write(row: readonly SheetCell[], isHeader: boolean): void {
    const first = row.findIndex((cell) => cell !== EMPTY);
    const cells = row.slice(Math.min(first, this.margin));
    // The header stands above every chunk of the table; its comments do not.
    if (isHeader) for (const { text, note } of cells) if (note !== undefined) this.headerNotes.push(`${text}: ${note}`);
    this.builder.row(
      cells.map(({ text, note }) => (note === undefined || isHeader ? text : `${text} (${note})`.trimStart())),
      isHeader,
    );
  }
}
