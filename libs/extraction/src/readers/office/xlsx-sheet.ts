import type { XmlElement, XmlHandler } from '../archive';
import { columnOf } from './xlsx-values';

/** A cell as the file stores it. */
export interface RawCell {
  readonly column: number;
  readonly row: number;
  readonly type: string;
  readonly style: number;
  readonly value: string;
  /** '' without a formula. */
  readonly formula: string;
  /** Whether the file has the formula without its value. An empty `<v>` of a string is the value ''. */
  readonly lacksValue: boolean;
}

/** Receives the rows of a sheet, cells in the order of the file, and the running header and footer after them. */
export interface RowSink {
  row(cells: RawCell[]): void;
  running?(text: string): void;
}

const SKIPPED = ['s:rPh', 's:dataValidations', 's:conditionalFormatting', 's:extLst'];
const RUNNING = ['s:oddHeader', 's:oddFooter', 's:evenHeader', 's:evenFooter', 's:firstHeader', 's:firstFooter'];

/** Streams the rows of a sheet. */
export class XlsxSheet implements Omit<XmlHandler, 'namespaces'> {
  readonly skipped = new Set(SKIPPED);
  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['s:row', (element) => this.openRow(element)],
    ['s:c', (element) => this.openCell(element)],
    ['s:v', () => this.openValue()],
    ['s:t', () => (this.inside = 'value')],
    ['s:f', () => (this.inside = 'formula')],
    ...RUNNING.map((name) => [name, () => this.openRunning()] as const),
  ]);
  readonly closed = new Map<string, () => void>([
    ['s:row', () => this.sink.row(this.cells)],
    ['s:c', () => this.endCell()],
    ['s:v', () => (this.inside = null)],
    ['s:t', () => (this.inside = null)],
    ['s:f', () => (this.inside = null)],
    ...RUNNING.map((name) => [name, () => this.endRunning()] as const),
  ]);

  private cells: RawCell[] = [];
  private row = 0;
  private column = 0;
  private type = 'n';
  private style = 0;
  private value = '';
  private formula = '';
  private hasValue = false;
  private inside: 'value' | 'formula' | null = null;

  constructor(private readonly sink: RowSink) {}

  readonly text = (text: string): void => {
    if (this.inside === 'value') this.value += text;
    else if (this.inside === 'formula') this.formula += text;
  };

  private openRow(element: XmlElement): void {
    this.cells = [];
    this.row = element.count('r') ?? this.row + 1;
  }

  private openCell(element: XmlElement): void {
    const next = (this.cells.at(-1)?.column ?? -1) + 1;
    this.column = columnOf(element.get('r')) ?? next;
    this.type = element.get('t') ?? 'n';
    this.style = element.count('s') ?? 0;
    this.value = '';
    this.formula = '';
    this.hasValue = false;
  }

  private openValue(): void {
    this.inside = 'value';
    this.hasValue = true;
  }

  private endCell(): void {
    const { column, row, type, style, value, formula } = this;
    if (value === '' && formula === '') return;
    const lacksValue = value === '' && !(type === 'str' && this.hasValue);
    this.cells.push({ column, row, type, style, value, formula, lacksValue });
  }

  private openRunning(): void {
    this.value = '';
    this.inside = 'value';
  }

  private endRunning(): void {
    this.inside = null;
    this.sink.running?.(this.value);
  }
}
