import type { XmlElement } from '../archive';
import type { OfficePackage } from './office-package';

/** A box of a diagram, and the place among the boxes of the one above it. */
interface Box {
  readonly paragraphs: string[];
  /** A prompt that was never written over. */
  isPrompt: boolean;
  readonly below: { readonly id: string; readonly order: number }[];
}

const MOST_DEPTH = 100;

/** Collects the boxes of a diagram and what connects them. */
class Diagram {
  private readonly boxes = new Map<string, Box>();
  private readonly inner = new Set<string>();
  private readonly placed = new Set<string>();
  private readonly lines: string[] = [];
  private box: Box | null = null;
  private paragraph = '';
  private inText = false;

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['dgm:pt', (element) => (this.box = this.at(element.get('modelId') ?? ''))],
    ['dgm:prSet', (element) => this.box !== null && (this.box.isPrompt = element.get('phldr') === '1')],
    ['dgm:cxn', (element) => this.connect(element)],
    ['a:p', () => (this.paragraph = '')],
    ['a:t', () => (this.inText = true)],
    ['a:br', () => (this.paragraph += ' ')],
  ]);
  readonly closed = new Map<string, () => void>([
    ['a:p', () => (this.box ?? this.at('')).paragraphs.push(this.paragraph.trim())],
    ['a:t', () => (this.inText = false)],
    ['dgm:pt', () => (this.box = null)],
  ]);
  readonly text = (piece: string): void => {
    if (this.inText) this.paragraph += piece;
  };

  /** The paragraphs of all boxes: each behind the one above it, in the order of the diagram. */
  paragraphs(): string[] {
    for (const id of this.boxes.keys()) if (!this.inner.has(id)) this.write(id, 0);
    for (const id of this.boxes.keys()) this.write(id, 0);
    return this.lines;
  }

  private at(id: string): Box {
    const box = this.boxes.get(id) ?? { paragraphs: [], isPrompt: false, below: [] };
    this.boxes.set(id, box);
    return box;
  }

  /** Other kinds of connections lead to how a box is drawn. */
  private connect(element: XmlElement): void {
    if ((element.get('type') ?? 'parOf') !== 'parOf') return;
    const [above, id] = [element.get('srcId') ?? '', element.get('destId') ?? ''];
    this.at(above).below.push({ id, order: element.count('srcOrd') ?? 0 });
    this.inner.add(id);
  }

  private write(id: string, depth: number): void {
    const box = this.boxes.get(id);
    if (box === undefined || this.placed.has(id) || depth > MOST_DEPTH) return;
    this.placed.add(id);
    if (!box.isPrompt) this.lines.push(...box.paragraphs.filter((paragraph) => paragraph !== ''));
    for (const below of box.below.toSorted((one, other) => one.order - other.order)) this.write(below.id, depth + 1);
  }
}

/** The text of a diagram (SmartArt), a paragraph a line. */
export const readDiagram = async (office: OfficePackage, part: string): Promise<string> => {
  const diagram = new Diagram();
  const { opened, closed, text } = diagram;
  await office.walk(part, { opened, closed, text });
  return diagram.paragraphs().join('\n');
};
