import type { FlowWriter } from '../../flow-writer';
import type { TextBuilder } from '../../text-builder';
import type { XmlElement, XmlHandler } from '../archive';
import { ListLabels } from './list-labels';
import { openDocumentNamespaces } from './namespaces';

/** Deleted text, tables of contents, comments, note marks, pronunciation hints and picture descriptions. */
export const SKIPPED: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'text:table-of-content',
  'office:annotation',
  'text:note-citation',
  'text:ruby-text',
  'office:forms',
  'office:binary-data',
  'svg:title',
  'svg:desc',
]);

/** Placeholders that repeat on every slide. */
const FURNITURE = ['page-number', 'date-time', 'header', 'footer', 'page'];
const MOST_SPACES = 100;

/** Collapses white space of the source to one space; significant spaces have separate elements. */
export const squeeze = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ');

interface Paragraph {
  text: string;
  readonly level: number;
}

/** Writes the body of a text document or a presentation as a flow of paragraphs and tables, slides as pages. */
export class TextBody implements XmlHandler {
  readonly namespaces = openDocumentNamespaces;
  readonly skipped = SKIPPED;
  /** Nested paragraphs: a note or a text box is inside its anchor paragraph. */
  private readonly paragraphs: Paragraph[] = [];
  private readonly labels = new ListLabels();
  private readonly frames: string[] = [];
  private notes: string[][] = [];
  private slides = 0;
  private inHeader = false;
  private readonly spans: number[] = [];

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['text:list-style', (element) => this.labels.defineStyle(element)],
    ['text:list-level-style-number', (element) => this.labels.defineLevel(element, true)],
    ['text:list-level-style-bullet', (element) => this.labels.defineLevel(element, false)],
    ['text:list', (element) => this.labels.open(element)],
    ['text:list-item', (element) => this.labels.openItem(element)],
    ['text:h', (element) => this.openParagraph(element.count('text:outline-level') ?? 1)],
    ['text:p', () => this.openParagraph(this.frames.at(-1) === 'title' ? 1 : 0)],
    ['text:s', (element) => this.add(' '.repeat(Math.min(element.count('text:c') ?? 1, MOST_SPACES)))],
    ['text:tab', () => this.add('\t')],
    ['text:line-break', () => this.add('\n')],
    ['text:note', () => this.notes.push([])],
    ['draw:page', () => this.builder.startPage((this.slides += 1))],
    ['draw:frame', (element) => this.frames.push(element.get('presentation:class') ?? '')],
    ['table:table', (element) => this.flow.openTable(element.get('table:name') ?? null)],
    ['table:table-header-rows', () => (this.inHeader = true)],
    ['table:table-row', () => this.flow.openRow(this.inHeader)],
    ['table:table-cell', (element) => this.openCell(element)],
    ['table:covered-table-cell', (element) => this.openCell(element)],
  ]);
  readonly closed = new Map<string, () => void>([
    ['text:list', () => this.labels.close()],
    ['text:h', () => this.closeParagraph()],
    ['text:p', () => this.closeParagraph()],
    ['text:note', () => this.flow.note(this.notes.pop()?.join('\n') ?? '')],
    ['draw:frame', () => this.frames.pop()],
    ['table:table', () => this.flow.closeTable()],
    ['table:table-header-rows', () => (this.inHeader = false)],
    ['table:table-cell', () => this.flow.closeCell(this.spans.pop())],
    ['table:covered-table-cell', () => this.flow.closeCell(this.spans.pop())],
  ]);

  constructor(
    private readonly builder: TextBuilder,
    private readonly flow: FlowWriter,
  ) {}

  readonly text = (text: string): void => this.add(squeeze(text));

  private add(text: string): void {
    const paragraph = this.paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.text += text;
  }

  private openParagraph(level: number): void {
    this.paragraphs.push({ text: this.labels.take(), level });
  }

  /** A cell with a span is followed by its covered cells, so it counts as one column. */
  private openCell(element: XmlElement): void {
    this.spans.push(element.count('table:number-columns-repeated') ?? 1);
    this.flow.openCell();
  }

  private closeParagraph(): void {
    const { text = '', level = 0 } = this.paragraphs.pop() ?? {};
    const note = this.notes.at(-1);
    if (FURNITURE.includes(this.frames.at(-1) ?? '')) return;
    if (note !== undefined) note.push(text);
    else this.flow.paragraph(text, level);
  }
}
