import type { FlowWriter } from '../../flow-writer';
import type { XmlElement, XmlHandler } from '../archive';
import { SHOWING } from './shown-parts';

const TITLES = ['title', 'ctrTitle'];
/** Placeholders that repeat on every slide; their text is read once in a presentation. */
const RUNNING = ['ftr', 'hdr', 'dt'];
/** Placeholders of numbers and of the picture of a slide. */
const FURNITURE = ['sldNum', 'sldImg'];
const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** The content of one shape, collected until its end: a title comes first, regardless of its position. */
interface Shape {
  kind: string;
  isHidden: boolean;
  /** A date that changes with the day. */
  hasField: boolean;
  paragraphs: string[];
}

/** Collects the shapes of a slide, its title first. */
export class PptxSlide implements Omit<XmlHandler, 'namespaces'> {
  readonly skipped = new Set(['mc:Fallback']);
  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['p:sp', () => (this.shape = { kind: '', isHidden: false, hasField: false, paragraphs: [] })],
    ['p:cNvPr', (element) => this.shape !== null && (this.shape.isHidden = isTrue(element.get('hidden')))],
    ['a:fld', () => this.shape !== null && (this.shape.hasField = true)],
    ['p:ph', (element) => this.setKind(element.get('type') ?? 'body')],
    ['a:p', () => (this.paragraph = '')],
    ['a:t', () => (this.inText = true)],
    ['m:t', () => (this.inText = true)],
    ['m:den', () => (this.paragraph += '/')],
    ['m:sup', () => (this.paragraph += '^')],
    ['a:br', () => (this.paragraph += '\n')],
    ...SHOWING.map(([name, attribute]) => [name, (element: XmlElement) => this.show(element.get(attribute))] as const),
    ['a:tbl', () => this.later((flow) => flow.openTable())],
    ['a:tr', () => this.later((flow) => flow.openRow())],
    // A covered cell is written as an empty one, so that columns stay aligned.
    ['a:tc', () => this.later((flow) => flow.openCell())],
  ]);
  readonly closed = new Map<string, () => void>([
    ['p:sp', () => this.endShape()],
    ['a:p', () => this.endParagraph()],
    ['a:t', () => (this.inText = false)],
    ['m:t', () => (this.inText = false)],
    ['a:tc', () => this.later((flow) => flow.closeCell())],
    ['a:tbl', () => this.later((flow) => flow.closeTable())],
  ]);

  /** Texts of headers and footers. */
  readonly runningTexts: string[] = [];
  private readonly titles: string[] = [];
  private readonly rest: ((flow: FlowWriter) => void)[] = [];
  private shape: Shape | null = null;
  private paragraph = '';
  private inText = false;

  /** @param shown texts of charts and diagrams, by the ID of their relation */
  constructor(private readonly shown: ReadonlyMap<string, string> = new Map()) {}

  readonly text = (text: string): void => {
    if (this.inText) this.paragraph += text;
  };

  /** @param level of the title as a heading. */
  write(flow: FlowWriter, level: number): void {
    flow.paragraph(this.titles.join(' '), level);
    for (const step of this.rest) step(flow);
  }

  private later(step: (flow: FlowWriter) => void): void {
    this.rest.push(step);
  }

  private show(id: string | undefined): void {
    const text = this.shown.get(id ?? '');
    if (text !== undefined) this.later((flow) => flow.paragraph(text));
  }

  private setKind(kind: string): void {
    if (this.shape !== null) this.shape.kind = kind;
  }

  private endParagraph(): void {
    const { paragraph, shape } = this;
    this.paragraph = '';
    if (shape !== null) shape.paragraphs.push(paragraph);
    else this.later((flow) => flow.paragraph(paragraph));
  }

  private endShape(): void {
    const { shape } = this;
    this.shape = null;
    if (shape === null || shape.isHidden || FURNITURE.includes(shape.kind)) return;
    if (shape.kind === 'dt' && shape.hasField) return;
    if (RUNNING.includes(shape.kind)) return void this.runningTexts.push(shape.paragraphs.join(' ').trim());
    if (TITLES.includes(shape.kind)) this.titles.push(...shape.paragraphs.filter((text) => text.trim() !== ''));
    else for (const text of shape.paragraphs) this.later((flow) => flow.paragraph(text));
  }
}
