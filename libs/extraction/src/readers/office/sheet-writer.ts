import type { TextBuilder } from '../../text-builder';

/** A cell as it is written, and whether it is words: figures and dates never name a column. */
export interface SheetCell {
  readonly text: string;
  readonly isWords: boolean;
}

/** Rows that are looked at for the one that names the columns. */
const LOOKED_AT = 20;
const EMPTY: SheetCell = { text: '', isWords: false };
/** Empty cells that keep columns in line; farther out there is no table that people read. */
const MOST_GAP = 64;

const filled = (row: readonly SheetCell[]): SheetCell[] => row.filter(({ text }) => text.trim() !== '');

/**
 * The row that names the columns: the first that is as wide as most rows (two cells at least), says nothing but words,
 * says no word twice, and has a row below it. -1 where none does.
 */
export const headerIndex = (rows: readonly (readonly SheetCell[])[]): number => {
  const widths = rows.map((row) => filled(row).length).toSorted((a, b) => a - b);
  const usual = widths[Math.floor(widths.length / 2)] ?? 0;
  return rows.findIndex((row, index) => {
    const cells = filled(row);
    const distinct = new Set(cells.map(({ text }) => text)).size;
    const wide = cells.length >= Math.max(2, usual * 0.75);
    return wide && index < rows.length - 1 && cells.every(({ isWords }) => isWords) && distinct === cells.length;
  });
};

/** Writes a sheet row by row: what stands above its header as lines, then one table under the name of the sheet. */
export class SheetWriter {
  private waiting: SheetCell[][] | null = [];
  /** Columns on the left that are empty as far as was looked. */
  private margin = 0;

  constructor(
    private readonly builder: TextBuilder,
    private readonly title: string,
  ) {}

  /** @param cells with their columns, from 0, in rising order. */
  row(cells: readonly (readonly [column: number, cell: SheetCell])[]): void {
    const row: SheetCell[] = [];
    for (const [column, cell] of cells) {
      if (cell.text.trim() === '') continue;
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
  }

  private begin(rows: readonly SheetCell[][]): void {
    this.waiting = null;
    if (rows.length === 0) return;
    this.margin = Math.min(...rows.map((row) => row.findIndex((cell) => cell !== EMPTY)));
    const header = headerIndex(rows);
    this.builder.heading(1, this.title);
    for (const row of rows.slice(0, Math.max(0, header))) this.write(row, false);
    this.builder.startTable(this.title);
    rows.slice(Math.max(0, header)).forEach((row, index) => this.write(row, index === 0 && header >= 0));
  }

  private write(row: readonly SheetCell[], isHeader: boolean): void {
    const first = row.findIndex((cell) => cell !== EMPTY);
    const cells = row.slice(Math.min(first, this.margin)).map(({ text }) => text);
    this.builder.row(cells, isHeader);
  }
}
