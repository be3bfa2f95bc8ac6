import { FlowWriter } from '../../flow-writer';
import type { ReadLimits } from '../../reader';
import { TextBuilder } from '../../text-builder';
import type { XmlElement, XmlHandler } from '../archive';
import { type SheetCell, SheetWriter } from '../office';
import { openDocumentNamespaces } from './namespaces';
import { SHAPES } from './shapes';
import { ShownParts } from './shown-parts';
import { SKIPPED, squeeze, TextBody } from './text-body';

/** Column limit of all spreadsheet programs. */
const MOST_COLUMNS = 16_384;

interface OpenCell {
  readonly words: boolean;
  readonly date: string | null;
  readonly copies: number;
  /** What the file stores where it shows no text. */
  readonly value: string;
  text: string;
  note?: string;
}

/** A comment while it is read; its date is no part of it. */
interface OpenNote {
  author: string;
  text: string;
  place: 'author' | 'date' | 'text';
}

/** A value of a cell; OpenOffice 1 writes it under another prefix. */
const valueOf = (element: XmlElement, name: string): string | undefined =>
  element.get(`office:${name}`) ?? element.get(`table:${name}`);

/**
 * Writes the sheets of a spreadsheet row by row, each under its name. Cells have their displayed text and their
 * comment, dates ISO 8601. What is drawn over a sheet follows its table.
 */
export class SheetsBody implements XmlHandler {
  readonly namespaces = openDocumentNamespaces;
  readonly allowsNamedType = true;
  readonly skipped = new Set([...SKIPPED, 'table:content-validations', 'table:named-expressions']);
  private writer: SheetWriter | null = null;
  private row: [number, SheetCell][] = [];
  private column = 0;
  private rowCopies = 1;
  private cell: OpenCell | null = null;
  private note: OpenNote | null = null;
  private tables = 0;
  private shapes = 0;
  private drawn: { builder: TextBuilder; flow: FlowWriter; body: TextBody };
  private texts: string[] = [];

  readonly opened: Map<string, (element: XmlElement) => void>;
  readonly closed: Map<string, () => void>;

  private readonly cellsOpened = new Map<string, (element: XmlElement) => void>([
    ['table:table', (element) => this.openTable(element)],
    ['office:annotation', (element) => this.openNote(element)],
    ['dc:creator', () => this.notePlace('author')],
    ['dc:date', () => this.notePlace('date')],
    ['table:table-row', (element) => this.openRow(element)],
    ['table:table-cell', (element) => this.openCell(element)],
    ['table:covered-table-cell', (element) => this.openCell(element)],
    ['text:s', (element) => this.add(' '.repeat(Math.min(element.count('text:c') ?? 1, 100)))],
    ['text:tab', () => this.add(' ')],
    ['text:line-break', () => this.add(' ')],
    ['text:p', () => this.add(this.note === null ? ' ' : '\n')],
  ]);
  private readonly cellsClosed = new Map<string, () => void>([
    ['office:annotation', () => this.closeNote()],
    ['dc:creator', () => this.notePlace('text')],
    ['dc:date', () => this.notePlace('text')],
    ['table:table', () => this.closeTable()],
    ['table:table-row', () => this.closeRow()],
    ['table:table-cell', () => this.closeCell()],
    ['table:covered-table-cell', () => this.closeCell()],
  ]);

  constructor(
    private readonly builder: TextBuilder,
    private readonly limits: ReadLimits,
    private readonly shown = new ShownParts(),
  ) {
    this.drawn = this.canvas();
    const { opened, closed } = this.drawn.body;
    const names = [...this.cellsOpened.keys(), ...opened.keys()];
    this.opened = new Map(names.map((name) => [name, (element) => this.pass(name, element)]));
    const ends = [...this.cellsClosed.keys(), ...closed.keys()];
    this.closed = new Map(ends.map((name) => [name, () => this.passEnd(name)]));
    for (const name of SHAPES) {
      this.opened.set(name, (element) => this.openShape(name, element));
      this.closed.set(name, () => this.closeShape(name));
    }
  }

  readonly text = (text: string): void => {
    if (this.shapes > 0) this.drawn.body.text(text);
    else this.add(squeeze(text));
  };

  private canvas(): { builder: TextBuilder; flow: FlowWriter; body: TextBody } {
    const builder = new TextBuilder(this.limits);
    const flow = new FlowWriter(builder);
    return { builder, flow, body: new TextBody(builder, flow, this.shown) };
  }

  /** What is drawn over a sheet is a text of its own, whatever elements it has. */
  private pass(name: string, element: XmlElement): void {
    if (this.shapes > 0) this.drawn.body.opened.get(name)?.(element);
    else this.cellsOpened.get(name)?.(element);
  }

  private passEnd(name: string): void {
    if (this.shapes > 0) this.drawn.body.closed.get(name)?.();
    else this.cellsClosed.get(name)?.();
  }

  private openShape(name: string, element: XmlElement): void {
    if (this.shapes === 0) this.drawn = this.canvas();
    this.shapes += 1;
    this.pass(name, element);
  }

  private closeShape(name: string): void {
    this.passEnd(name);
    this.shapes -= 1;
    if (this.shapes > 0) return;
    this.drawn.flow.end();
    if (!this.drawn.builder.isEmpty) this.texts.push(this.drawn.builder.build().text);
  }

  private openTable(element: XmlElement): void {
    this.tables += 1;
    this.writer ??= new SheetWriter(this.builder, element.get('table:name') ?? '');
  }

  private openNote(element: XmlElement): void {
    this.note = { author: element.get('office:author') ?? '', text: '', place: 'text' };
  }

  private notePlace(place: OpenNote['place']): void {
    if (this.note !== null) this.note.place = place;
  }

  private closeNote(): void {
    const { author = '', text = '' } = this.note ?? {};
    this.note = null;
    if (text.trim() === '' || this.cell === null) return;
    this.shown.comments += 1;
    this.cell.note = author.trim() === '' ? text.trim() : `${author.trim()}: ${text.trim()}`;
  }

  private add(text: string): void {
    const { note, cell } = this;
    if (note !== null) {
      if (note.place === 'author') note.author += text;
      else if (note.place === 'text') note.text += text;
    } else if (cell !== null) cell.text += text;
  }

  private openRow(element: XmlElement): void {
    this.row = [];
    this.column = 0;
    this.rowCopies = element.count('table:number-rows-repeated') ?? 1;
  }

  private openCell(element: XmlElement): void {
    const type = valueOf(element, 'value-type') ?? 'string';
    const value = ['value', 'string-value', 'boolean-value', 'time-value']
      .map((name) => valueOf(element, name))
      .find((each) => each !== undefined);
    this.cell = {
      words: type === 'string',
      date: type === 'date' ? (valueOf(element, 'date-value')?.replace('T', ' ') ?? null) : null,
      copies: element.count('table:number-columns-repeated') ?? 1,
      value: value ?? '',
      text: '',
    };
  }

  private closeCell(): void {
    const { cell } = this;
    this.cell = null;
    if (cell === null) return;
    const written = { text: cell.date ?? (cell.text.trim() || cell.value), isWords: cell.words };
    const copies = written.text === '' ? 0 : Math.min(cell.copies, MOST_COLUMNS - this.column);
    for (let copy = 0; copy < copies; copy += 1) this.row.push([this.column + copy, written]);
    this.addNote(written, cell.note, copies);
    this.column += cell.copies;
  }

  /** A comment stands at the first of repeated cells. */
  private addNote(written: SheetCell, note: string | undefined, copies: number): void {
    if (note !== undefined) this.row[this.row.length - copies] = [this.column, { ...written, note }];
  }

  private closeRow(): void {
    // A sheet ends with a million empty rows as one repeated row.
    if (this.row.length > 0) for (let copy = 0; copy < this.rowCopies; copy += 1) this.writer?.row(this.row);
    this.row = [];
  }

  private closeTable(): void {
    this.tables -= 1;
    if (this.tables > 0) return;
    this.writer?.end();
    this.writer?.beside(this.texts);
    this.texts = [];
    this.writer = null;
  }
}
