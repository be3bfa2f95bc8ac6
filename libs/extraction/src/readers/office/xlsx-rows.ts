import { unescaped } from './escapes';
import { runningLinesOf } from './running-marks';
import type { SheetAnnotations } from './sheet-annotations';
import type { SheetCell, SheetWriter } from './sheet-writer';
import type { Calculation } from './xlsx-calculation';
import type { RawCell, RowSink } from './xlsx-sheet';
import { referenceOf } from './xlsx-values';
import type { Workbook } from './xlsx-workbook';

/** A formula of the sheet has no value in the file: it is written once the values of all cells are collected. */
export class ValuesMissing extends Error {}

/** Writes the rows of a sheet as the cells show them, each comment with its cell. */
export class XlsxRows implements RowSink {
  private readonly ranText = new Set<string>();

  constructor(
    private readonly sheet: string,
    private readonly workbook: Workbook,
    private readonly parts: SheetAnnotations,
    private readonly writer: SheetWriter,
    private readonly calculation: Calculation | null,
  ) {}

  /** Texts of the running headers and footers. */
  get runningTexts(): readonly string[] {
    return [...this.ranText];
  }

  row(cells: RawCell[]): void {
    this.writer.row(
      cells
        .map((cell): readonly [number, SheetCell] => [cell.column, this.withNote(cell, this.cell(cell))])
        .toSorted(([one], [other]) => one - other),
    );
  }

  running(text: string): void {
    for (const line of runningLinesOf(text)) this.ranText.add(line);
  }

  private withNote({ column, row }: RawCell, cell: SheetCell): SheetCell {
    if (this.parts.notes.size === 0) return cell;
    const reference = referenceOf(column, row);
    const note = this.parts.notes.get(reference);
    if (note === undefined) return cell;
    this.parts.notes.delete(reference);
    return { ...cell, note };
  }

  private cell(cell: RawCell): SheetCell {
    const { value, type } = cell;
    if (cell.lacksValue) return this.evaluated(cell);
    switch (type) {
      case 's':
        return this.words(cell, this.workbook.strings[Number(value)] ?? '');
      case 'inlineStr':
      case 'str':
        return this.words(cell, unescaped(value));
      case 'b':
        return { text: value === '1' ? 'TRUE' : 'FALSE', isWords: false };
      case 'd':
        return { text: value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' '), isWords: false };
      case 'e':
        return { text: value, isWords: false };
      default:
        return { text: this.figure(value, cell.style), isWords: false };
    }
  }

  private words({ style }: RawCell, text: string): SheetCell {
    return { text: this.workbook.formatText(style, text), isWords: true };
  }

  /** Other values than figures stay unchanged. */
  private figure(raw: string, style: number): string {
    const value = Number(raw);
    return raw.trim() === '' || !Number.isFinite(value) ? raw : this.workbook.format(style, value);
  }

  /** A formula without a value in the file: its computed value, else the formula itself. */
  private evaluated({ formula, style }: RawCell): SheetCell {
    if (this.calculation === null) throw new ValuesMissing();
    const value = this.calculation.valueOf(this.sheet, formula);
    if (value === undefined || value === null) return { text: `=${formula}`, isWords: false };
    if (typeof value === 'number') return { text: this.workbook.format(style, value), isWords: false };
    return typeof value === 'string'
      ? { text: value, isWords: true }
      : { text: value ? 'TRUE' : 'FALSE', isWords: false };
  }
}
