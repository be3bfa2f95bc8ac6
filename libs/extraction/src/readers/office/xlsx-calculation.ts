import { evaluate } from './formula';
import type { Value } from './formula-functions';
import type { RawCell, RowSink } from './xlsx-sheet';
import { columnOf, referenceOf } from './xlsx-values';

/** Cells that are kept to evaluate formulas; a larger workbook has its formulas as they stand. */
const MOST_CELLS = 500_000;
const MOST_IN_RANGE = 50_000;
/** Cells that all formulas of a workbook may look up together. */
const MOST_LOOKUPS = 5_000_000;
const MOST_DEPTH = 100;

/** A cell; one without a value has a formula that is beyond simple arithmetic. */
type Stored = { readonly value: Value | undefined } | { readonly formula: string };

const rowOf = (reference: string): number => Number(/\d{1,7}$/.exec(reference)?.[0] ?? 0);

/** The cells of all sheets, for formulas whose value the file does not have. */
export class Calculation {
  private readonly sheets = new Map<string, Map<string, Stored>>();
  private readonly running = new Set<string>();
  private cells = 0;
  private lookups = 0;

  constructor(private readonly strings: readonly string[]) {}

  /** Receives the rows of a sheet. */
  collect(sheet: string): RowSink {
    const stored = new Map<string, Stored>();
    this.sheets.set(sheet.toLowerCase(), stored);
    return {
      row: (cells) => {
        for (const cell of cells)
          if ((this.cells += 1) <= MOST_CELLS) stored.set(referenceOf(cell.column, cell.row), this.stored(cell));
      },
    };
  }

  /** The value of a formula of a sheet; undefined if it is beyond simple arithmetic. */
  valueOf(sheet: string, formula: string): Value | undefined {
    if (this.cells > MOST_CELLS || this.running.size > MOST_DEPTH) return undefined;
    return evaluate(formula, (other, from, to) => this.lookup((other ?? sheet).toLowerCase(), from, to));
  }

  private stored({ type, value, formula, lacksValue }: RawCell): Stored {
    if (lacksValue) return { formula };
    if (type === 's') return { value: this.strings[Number(value)] ?? '' };
    if (type === 'b') return { value: value === '1' };
    const number = Number(value);
    return { value: type === 'n' && Number.isFinite(number) ? number : value };
  }

  private lookup(sheet: string, from: string, to: string | null): Value[] | undefined {
    const cells = this.sheets.get(sheet);
    if (cells === undefined) return undefined;
    const [left, right] = [columnOf(from) ?? 0, columnOf(to ?? from) ?? 0];
    const [top, bottom] = [rowOf(from), rowOf(to ?? from)];
    const area = (right - left + 1) * (bottom - top + 1);
    this.lookups += Math.max(1, area);
    if (area < 1 || area > MOST_IN_RANGE || this.lookups > MOST_LOOKUPS) return undefined;
    const values: Value[] = [];
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) {
        const value = this.cell(sheet, cells, referenceOf(column, row));
        if (value === undefined) return undefined;
        values.push(value);
      }
    return values;
  }

  /** The value of a cell, evaluated once. A formula that needs itself has none. */
  private cell(sheet: string, cells: Map<string, Stored>, reference: string): Value | undefined {
    const stored = cells.get(reference);
    if (stored === undefined) return null;
    if ('value' in stored) return stored.value;
    const key = `${sheet}!${reference}`;
    if (this.running.has(key)) return undefined;
    this.running.add(key);
    const value = this.valueOf(sheet, stored.formula);
    this.running.delete(key);
    cells.set(reference, { value });
    return value;
  }
}
