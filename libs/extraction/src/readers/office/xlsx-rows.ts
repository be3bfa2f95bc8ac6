import { unescaped } from './escapes';
import type { SheetAnnotations } from './sheet-annotations';
import type { SheetCell, SheetWriter } from './sheet-writer';
import type { Calculation } from './xlsx-calculation';
import type { RawCell, RowSink } from './xlsx-sheet';
import { referenceOf } from './xlsx-values';
import type { Workbook } from './xlsx-workbook';

/** A formula of the sheet has no value in the file: it is written once the values of all cells are collected. */
export class ValuesMissing extends Error {}

/** Marks of a running header for its three parts, page numbers, fonts and colours. */
const RUNNING_MARKS = /&(?:"[^"]*"|K[0-9A-F]{6}|\d+|[A-Z])/gi;

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
    const shown = text
      .replaceAll('&&', '\u0000')
      .replace(/&[LCR]/g, '\n')
      .replace(RUNNING_MARKS, '')
      .replaceAll('\u0000', '&');
    for (const line of shown.split('\n')) if (/\p{L}/u.test(line)) this.ranText.add(line.trim());
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
        return { text: this.workbook.strings[Number(value)] ?? '', isWords: true };
      case 'inlineStr':
      case 'str':
        return { text: unescaped(value), isWords: true };
      case 'b':
        return { text: value === '1' ? 'TRUE' : 'FALSE', isWords: false };
      case 'd':
      case 'e':
        return { text: value, isWords: false };
      default:
        return { text: this.figure(value, cell.style), isWords: false };
    }
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
