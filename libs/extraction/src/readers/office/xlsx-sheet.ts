import type { XmlElement, XmlHandler } from '../archive';
import type { SheetCell, SheetWriter } from './sheet-writer';
import { columnOf, writeNumber } from './xlsx-values';
import type { Workbook } from './xlsx-workbook';

/** Streams the rows of a sheet. A formula has its last computed value. */
export class XlsxSheet implements Omit<XmlHandler, 'namespaces'> {
  readonly skipped = new Set(['s:f', 's:rPh', 's:headerFooter', 's:dataValidations', 's:conditionalFormatting']);
  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['s:row', () => (this.cells = [])],
    ['s:c', (element) => this.openCell(element)],
    ['s:v', () => (this.inValue = true)],
    ['s:t', () => (this.inValue = true)],
  ]);
  readonly closed = new Map<string, () => void>([
    ['s:row', () => this.endRow()],
    ['s:c', () => this.endCell()],
    ['s:v', () => (this.inValue = false)],
    ['s:t', () => (this.inValue = false)],
  ]);

  private cells: [number, SheetCell][] = [];
  private column = 0;
  private type = 'n';
  private style = 0;
  private value = '';
  private inValue = false;

  constructor(
    private readonly workbook: Workbook,
    private readonly writer: SheetWriter,
  ) {}

  readonly text = (text: string): void => {
    if (this.inValue) this.value += text;
  };

  private openCell(element: XmlElement): void {
    const next = (this.cells.at(-1)?.[0] ?? -1) + 1;
    this.column = columnOf(element.get('r')) ?? next;
    this.type = element.get('t') ?? 'n';
    this.style = element.count('s') ?? 0;
    this.value = '';
  }

  private endCell(): void {
    if (this.value !== '') this.cells.push([this.column, this.cell()]);
  }

  private cell(): SheetCell {
    const { value, workbook } = this;
    switch (this.type) {
      case 's':
        return { text: workbook.strings[Number(value)] ?? '', isWords: true };
      case 'inlineStr':
      case 'str':
        return { text: value, isWords: true };
      case 'b':
        return { text: value === '1' ? 'TRUE' : 'FALSE', isWords: false };
      case 'd':
      case 'e':
        return { text: value, isWords: false };
      default:
        return { text: writeNumber(value, workbook.kinds[this.style] ?? 'number', workbook.in1904), isWords: false };
    }
  }

  private endRow(): void {
    this.writer.row(this.cells.toSorted(([a], [b]) => a - b));
  }
}
