import type { FlowWriter } from '../../flow-writer';
import type { TextBuilder } from '../../text-builder';
import type { XmlElement, XmlHandler } from '../archive';
import { ListLabels } from './list-labels';
import { openDocumentNamespaces } from './namespaces';
import { ShownParts } from './shown-parts';

/** Deleted text, tables of contents, note marks, pronunciation hints, picture descriptions, and what is no content. */
export const SKIPPED: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'text:table-of-content',
  'text:note-citation',
  'text:footnote-citation',
  'text:endnote-citation',
  'text:ruby-text',
  'office:forms',
  'office:binary-data',
  'office:meta',
  'office:settings',
  'office:scripts',
  'office:script',
  'office:master-styles',
  'svg:title',
  'svg:desc',
]);

/** Elements that number the items of a list. */
const LISTS = ['text:list', 'text:ordered-list', 'text:unordered-list'];
/** Notes of OpenDocument and of OpenOffice 1. */
const NOTES = ['text:note', 'text:footnote', 'text:endnote'];
/** Placeholders that repeat on every slide. */
const FURNITURE = ['page-number', 'date-time', 'header', 'footer', 'page'];
const MOST_SPACES = 100;

/** Collapses white space of the source to one space; significant spaces have separate elements. */
export const squeeze = (text: string): string => text.replace(/[ \t\r\n]+/g, ' ');

type Opening = readonly [name: string, open: (element: XmlElement) => void];
type Closing = readonly [name: string, close: () => void];

interface Paragraph {
  text: string;
  readonly level: number;
}

/** Writes the body of a text document or a presentation as a flow of paragraphs and tables, slides as pages. */
export class TextBody implements XmlHandler {
  readonly namespaces = openDocumentNamespaces;
  readonly allowsNamedType = true;
  readonly skipped = SKIPPED;
  /** Nested paragraphs: a note or a text box is inside its anchor paragraph. */
  private readonly paragraphs: Paragraph[] = [];
  /** Authors of open comments. */
  private readonly authors: string[] = [];
  private readonly frames: string[] = [];
  private notes: string[][] = [];
  private slides = 0;
  private inHeader = false;
  private readonly spans: number[] = [];
  private declared = '';
  private readonly declaredTexts = new Map<string, string>();
  private readonly usedTexts = new Set<string>();

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['text:list-style', (element) => this.labels.defineStyle(element)],
    ['text:outline-style', () => this.labels.defineOutline()],
    ['text:outline-level-style', (element) => this.labels.defineLevel(element, true)],
    ['text:list-level-style-number', (element) => this.labels.defineLevel(element, true)],
    ['text:list-level-style-bullet', (element) => this.labels.defineLevel(element, false)],
    ...LISTS.map((name): Opening => [name, (element) => this.labels.open(element)]),
    ['text:list-item', (element) => this.labels.openItem(element)],
    ['text:h', (element) => this.openHeading(element)],
    ['text:p', () => this.openParagraph(this.labels.take(), this.frames.at(-1) === 'title' ? 1 : 0)],
    ['text:s', (element) => this.add(' '.repeat(Math.min(element.count('text:c') ?? 1, MOST_SPACES)))],
    ['text:tab', () => this.add('\t')],
    ['text:line-break', () => this.add('\n')],
    ...NOTES.map((name): Opening => [name, () => this.notes.push([])]),
    ['office:annotation', (element) => this.openComment(element)],
    ['dc:creator', () => this.openParagraph('', 0)],
    ['presentation:footer-decl', (element) => this.openDeclared(element)],
    ['presentation:header-decl', (element) => this.openDeclared(element)],
    ['draw:page', (element) => this.openSlide(element)],
    ['draw:frame', (element) => this.openFrame(element)],
    ['draw:text-box', (element) => this.openFrame(element)],
    ['draw:object', (element) => this.openObject(element)],
    ['chart:chart', () => (this.shown.charts += 1)],
    ['table:table', (element) => this.flow.openTable(element.get('table:name') ?? null)],
    ['table:table-header-rows', () => (this.inHeader = true)],
    ['table:table-row', () => this.flow.openRow(this.inHeader)],
    ['table:table-cell', (element) => this.openCell(element)],
    ['table:covered-table-cell', (element) => this.openCell(element)],
  ]);
  readonly closed = new Map<string, () => void>([
    ...LISTS.map((name): Closing => [name, () => this.labels.close()]),
    ['text:h', () => this.closeParagraph()],
    ['text:p', () => this.closeParagraph()],
    ...NOTES.map((name): Closing => [name, () => this.flow.note(this.notes.pop()?.join('\n') ?? '')]),
    ['office:annotation', () => this.closeComment()],
    ['dc:creator', () => this.closeCreator()],
    ['presentation:footer-decl', () => this.closeDeclared()],
    ['presentation:header-decl', () => this.closeDeclared()],
    ['draw:page', () => this.flow.end()],
    ['draw:object', () => this.paragraphs.pop()],
    ['draw:frame', () => this.frames.pop()],
    ['draw:text-box', () => this.frames.pop()],
    ['table:table', () => this.flow.closeTable()],
    ['table:table-header-rows', () => (this.inHeader = false)],
    ['table:table-cell', () => this.flow.closeCell(this.spans.pop())],
    ['table:covered-table-cell', () => this.flow.closeCell(this.spans.pop())],
  ]);

  constructor(
    private readonly builder: TextBuilder,
    private readonly flow: FlowWriter,
    private readonly shown = new ShownParts(),
    private readonly labels = new ListLabels(),
  ) {}

  /** Headers and footers that the slides name, each once. */
  get running(): readonly string[] {
    return [...this.usedTexts].map((name) => this.declaredTexts.get(name)?.trim() ?? '').filter((text) => text !== '');
  }

  readonly text = (text: string): void => this.add(squeeze(text));

  private add(text: string): void {
    const paragraph = this.paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.text += text;
  }

  private openParagraph(text: string, level: number): void {
    this.paragraphs.push({ text, level });
  }

  private openHeading(element: XmlElement): void {
    const level = element.count('text:outline-level') ?? element.count('text:level') ?? 1;
    this.openParagraph(element.get('text:is-list-header') === 'true' ? '' : this.labels.takeOutline(level), level);
  }

  private openFrame(element: XmlElement): void {
    this.frames.push(element.get('presentation:class') ?? this.frames.at(-1) ?? '');
  }

  /** An object of a flat file stands inside; letters outside of its paragraphs are no text. */
  private openObject(element: XmlElement): void {
    this.flow.paragraph(this.shown.show(element.get('xlink:href')));
    this.openParagraph('', 0);
  }

  private openSlide(element: XmlElement): void {
    this.builder.startPage((this.slides += 1));
    for (const kind of ['header', 'footer']) {
      const name = element.get(`presentation:use-${kind}-name`);
      if (name !== undefined) this.usedTexts.add(name);
    }
  }

  /** Letters outside of its paragraphs, such as its date, are no part of a comment. */
  private openComment(element: XmlElement): void {
    this.notes.push([]);
    this.authors.push(element.get('office:author') ?? '');
    this.openParagraph('', 0);
  }

  private closeCreator(): void {
    const author = this.paragraphs.pop()?.text.trim() ?? '';
    if (this.authors.length > 0) this.authors[this.authors.length - 1] = author;
  }

  private closeComment(): void {
    this.paragraphs.pop();
    const author = this.authors.pop() ?? '';
    const text = this.notes.pop()?.join('\n').trim() ?? '';
    if (text === '') return;
    this.shown.comments += 1;
    this.flow.note(author === '' ? text : `${author}: ${text}`);
  }

  private openDeclared(element: XmlElement): void {
    this.declared = element.get('presentation:name') ?? '';
    this.openParagraph('', 0);
  }

  private closeDeclared(): void {
    this.declaredTexts.set(this.declared, this.paragraphs.pop()?.text ?? '');
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
