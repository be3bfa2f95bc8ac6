import type { FlowWriter } from '../../flow-writer';
import type { XmlElement, XmlHandler } from '../archive';
import { SHOWING } from './shown-parts';
import { FormFields } from './docx-fields';
import type { DocxNumbering } from './docx-numbering';
import { symbolOf } from './docx-symbols';
import { type DocxStyles, headingLevel, type NumberingPlace } from './docx-styles';
import { isOn } from './on-off';

/** Deleted or moved text, the second copy of a text box for old versions, and pronunciation hints. */
const SKIPPED = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:rt', 'w:sectPr', 'w:pPrChange', 'w:rPrChange']);

interface Paragraph {
  text: string;
  style: string | null;
  level: number | null;
  list: string | null;
  listLevel: number;
}

/** The parts of a text document besides its body. */
export interface DocxParts {
  readonly styles: DocxStyles;
  readonly numbering: DocxNumbering;
  /** Footnotes, endnotes and comments by kind and number, such as `footnote 3`. */
  readonly notes: ReadonlyMap<string, string>;
  /** Texts of charts and diagrams, and of files that are parts of the document, by the ID of their relation. */
  readonly shown: ReadonlyMap<string, string>;
}

/** Writes the body of a text document as a flow of paragraphs and tables. */
export class DocxBody implements Omit<XmlHandler, 'namespaces'> {
  readonly skipped = SKIPPED;
  /** Nested paragraphs: a text box is inside its anchor paragraph. */
  private readonly paragraphs: Paragraph[] = [];
  private inText = false;
  private inParagraphProperties = false;
  private hidden = false;
  private readonly fields = new FormFields();
  /** Column span of each open cell. */
  private readonly spans: number[] = [];

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['w:p', () => this.paragraphs.push({ text: '', style: null, level: null, list: null, listLevel: 0 })],
    ['w:pPr', () => (this.inParagraphProperties = true)],
    ['w:pStyle', (element) => this.change({ style: element.get('w:val') ?? null })],
    ['w:rStyle', (element) => this.hideByStyle(element.get('w:val'))],
    ['w:outlineLvl', (element) => this.change({ level: headingLevel(element.count('w:val')) })],
    ['w:numId', (element) => this.change({ list: element.get('w:val') ?? null })],
    ['w:ilvl', (element) => this.change({ listLevel: element.count('w:val') ?? 0 })],
    ['w:r', () => (this.hidden = this.parts.styles.hides(this.paragraphs.at(-1)?.style ?? null))],
    ['w:vanish', (element) => (this.hidden = !this.inParagraphProperties && isOn(element))],
    ['w:t', () => (this.inText = true)],
    ['m:t', () => (this.inText = true)],
    ['w:tab', () => this.add(this.inParagraphProperties ? '' : '\t')],
    ['w:ptab', () => this.add('\t')],
    ['w:br', () => this.add('\n')],
    ['w:cr', () => this.add('\n')],
    ['w:noBreakHyphen', () => this.add('-')],
    ['w:sym', (element) => this.add(symbolOf(element.get('w:font') ?? '', element.get('w:char') ?? ''))],
    ['m:den', () => this.add('/')],
    ['m:sup', () => this.add('^')],
    ...this.fields.opened,
    ['w:fldChar', (element) => this.add(this.fields.mark(element.get('w:fldCharType')))],
    ['w:footnoteReference', (element) => this.noteAt('footnote', element)],
    ['w:endnoteReference', (element) => this.noteAt('endnote', element)],
    ['w:commentReference', (element) => this.noteAt('comment', element)],
    ...SHOWING.map(([name, attribute]) => [name, (element: XmlElement) => this.show(element.get(attribute))] as const),
    ['w:altChunk', (element) => this.showChunk(element.get('r:id'))],
    // Words that are drawn, such as the mark of a draft behind a page.
    ['v:textpath', (element) => this.flow.note(element.get('string') ?? '')],
    // Shapes of a drawing canvas have paragraphs of their own kind.
    ['a:p', () => this.add('\n')],
    ['a:t', () => (this.inText = true)],
    ['w:tbl', () => this.flow.openTable()],
    ['w:tr', () => this.flow.openRow()],
    ['w:gridBefore', (element) => this.skipCells(element.count('w:val') ?? 0)],
    ['w:tblHeader', (element) => (isOn(element) ? this.flow.markHeader() : undefined)],
    ['w:tc', () => this.openCell()],
    ['w:gridSpan', (element) => (this.spans[this.spans.length - 1] = element.count('w:val') ?? 1)],
  ]);

  readonly closed = new Map<string, () => void>([
    ['w:p', () => this.endParagraph()],
    ['w:pPr', () => (this.inParagraphProperties = false)],
    ['w:t', () => (this.inText = false)],
    ['m:t', () => (this.inText = false)],
    ['a:t', () => (this.inText = false)],
    ['w:r', () => (this.hidden = false)],
    ['w:tc', () => this.flow.closeCell(this.spans.pop())],
    ['w:tbl', () => this.flow.closeTable()],
  ]);

  constructor(
    private flow: FlowWriter,
    private readonly parts: DocxParts,
  ) {}

  /** What follows is written to another flow. */
  writeTo(flow: FlowWriter): void {
    this.flow = flow;
  }

  readonly text = (text: string): void => {
    if (this.inText) this.add(text);
  };

  private add(text: string): void {
    const paragraph = this.paragraphs.at(-1);
    if (paragraph === undefined || this.hidden) return;
    paragraph.text += text;
    this.fields.notice(text);
  }

  private change(change: Partial<Paragraph>): void {
    const paragraph = this.paragraphs.at(-1);
    if (paragraph !== undefined && this.inParagraphProperties) Object.assign(paragraph, change);
  }

  private hideByStyle(style: string | undefined): void {
    if (!this.inParagraphProperties && this.parts.styles.hides(style ?? null)) this.hidden = true;
  }

  private skipCells(cells: number): void {
    if (cells === 0) return;
    this.flow.openCell();
    this.flow.closeCell(cells);
  }

  private openCell(): void {
    this.spans.push(1);
    this.flow.openCell();
  }

  private noteAt(kind: string, element: XmlElement): void {
    const note = this.parts.notes.get(`${kind} ${element.get('w:id') ?? ''}`);
    if (note !== undefined && !this.hidden) this.flow.note(note);
  }

  private show(id: string | undefined): void {
    const text = this.parts.shown.get(id ?? '');
    if (text !== undefined) this.flow.note(text);
  }

  private showChunk(id: string | undefined): void {
    for (const block of (this.parts.shown.get(id ?? '') ?? '').split('\n\n')) this.flow.paragraph(block);
  }

  private endParagraph(): void {
    const paragraph = this.paragraphs.pop();
    if (paragraph === undefined || paragraph.text.trim() === '') return;
    if (this.parts.styles.listsHeadings(paragraph.style)) return;
    const level = paragraph.level ?? this.parts.styles.level(paragraph.style);
    const place = this.placeOf(paragraph);
    const label = place === null ? '' : this.parts.numbering.next(place);
    const text = label === '' ? paragraph.text : `${label} ${paragraph.text.trimStart()}`;
    this.flow.paragraph(text, level);
  }

  /** List 0 removes a paragraph from the list of its style. */
  private placeOf({ list, listLevel, style }: Paragraph): NumberingPlace | null {
    if (list === '0') return null;
    const inherited = this.parts.styles.numbering(style);
    return list === null ? inherited : { list, level: listLevel };
  }
}
