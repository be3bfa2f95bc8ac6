import type { XmlElement, XmlHandler } from '../archive';

/** Collects the texts of the shapes of a layout or a master that every slide shows; placeholders are only prompts. */
export class PptxLayout implements Omit<XmlHandler, 'namespaces'> {
  readonly skipped = new Set(['mc:Fallback', 'p:txStyles']);
  readonly texts: string[] = [];
  private shapeText = '';
  private isPlaceholder = false;
  private inText = false;

  readonly opened = new Map<string, (element: XmlElement) => void>([
    ['p:sp', () => this.openShape()],
    ['p:ph', () => (this.isPlaceholder = true)],
    ['a:t', () => (this.inText = true)],
  ]);
  readonly closed = new Map<string, () => void>([
    ['p:sp', () => this.closeShape()],
    ['a:p', () => (this.shapeText += ' ')],
    ['a:t', () => (this.inText = false)],
  ]);

  readonly text = (text: string): void => {
    if (this.inText) this.shapeText += text;
  };

  private openShape(): void {
    this.shapeText = '';
    this.isPlaceholder = false;
  }

  private closeShape(): void {
    const text = this.shapeText.trim();
    if (!this.isPlaceholder && text !== '') this.texts.push(text);
  }
}
