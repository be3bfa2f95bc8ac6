import type { TextBuilder } from '../../text-builder';
import type { XmlElement, XmlHandler } from '../archive';
import { type SheetCell, SheetWriter } from '../office';
import { openDocumentNamespaces } from './namespaces';
import { SKIPPED, squeeze } from './text-body';

/** Column limit of all spreadsheet programs. */
const MOST_COLUMNS = 16_384;

interface OpenCell {
  readonly words: boolean;
  readonly date: string | null;
  readonly copies: number;
  text: string;
}

/**
 * Writes the sheets of a spreadsheet row by row, each under its name. Cells have their displayed text, dates ISO 8601.
 */
export class SheetsBody implements XmlHandler {
  readonly namespaces = openDocumentNamespaces;
  readonly skipped = new Set([...SKIPPED, 'table:shapes', 'table:content-validations', 'table:named-expressions']);
  private writer: SheetWriter | null = null;
  private row: [number, SheetCell][] = [];
  private column = 0;
  private rowCopies = 1;
  private cell: OpenCell | null = null;

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['table:table', (element) => (this.writer ??= new SheetWriter(this.builder, element.get('table:name') ?? ''))],
    ['table:table-row', (element) => this.openRow(element)],
    ['table:table-cell', (element) => this.openCell(element)],
    ['table:covered-table-cell', (element) => this.openCell(element)],
    ['text:s', (element) => this.add(' '.repeat(Math.min(element.count('text:c') ?? 1, 100)))],
    ['text:tab', () => this.add(' ')],
    ['text:line-break', () => this.add(' ')],
    ['text:p', () => this.add(' ')],
  ]);
  readonly closed = new Map<string, () => void>([
    ['table:table', () => this.closeTable()],
    ['table:table-row', () => this.closeRow()],
    ['table:table-cell', () => this.closeCell()],
    ['table:covered-table-cell', () => this.closeCell()],
  ]);

  constructor(private readonly builder: TextBuilder) {}

  readonly text = (text: string): void => this.add(squeeze(text));

  private add(text: string): void {
    if (this.cell !== null) this.cell.text += text;
  }

  private openRow(element: XmlElement): void {
    this.row = [];
    this.column = 0;
    this.rowCopies = element.count('table:number-rows-repeated') ?? 1;
  }

  private openCell(element: XmlElement): void {
    const type = element.get('office:value-type') ?? 'string';
    this.cell = {
      words: type === 'string',
      date: type === 'date' ? (element.get('office:date-value')?.replace('T', ' ') ?? null) : null,
      copies: element.count('table:number-columns-repeated') ?? 1,
      text: '',
    };
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = null;
    if (cell === null) return;
    const written = { text: cell.date ?? cell.text.trim(), isWords: cell.words };
    const copies = written.text === '' ? 0 : Math.min(cell.copies, MOST_COLUMNS - this.column);
    for (let copy = 0; copy < copies; copy += 1) this.row.push([this.column + copy, written]);
    this.column += cell.copies;
  }

  private closeRow(): void {
    // A sheet ends with a million empty rows as one repeated row.
    if (this.row.length > 0) for (let copy = 0; copy < this.rowCopies; copy += 1) this.writer?.row(this.row);
    this.row = [];
  }

  private closeTable(): void {
    this.writer?.end();
    this.writer = null;
  }
}
