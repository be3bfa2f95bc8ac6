import type { TextBuilder } from '../../text-builder';

interface Open {
  readonly name: string;
  text: string;
  /** Whether a nested element was written on a separate line. */
  hasLines: boolean;
}

/** A text of this length needs no element name. */
const LONGEST_VALUE = 200;
const WORD = /\p{L}/u;

/**
 * Writes the text of elements: a value on a line with its name, an element of values as a block, mixed content as
 * running text.
 */
export class XmlWriter {
  private readonly open: Open[] = [];
  private startsBlock = true;

  constructor(private readonly builder: TextBuilder) {}

  get depth(): number {
    return this.open.length;
  }

  start(name: string, attributes: Readonly<Record<string, string>>): void {
    this.open.push({ name, text: '', hasLines: false });
    for (const [attribute, value] of Object.entries(attributes))
      if (WORD.test(value) && !attribute.startsWith('xmlns') && !attribute.includes(':')) this.line(attribute, value);
  }

  text(text: string): void {
    const element = this.open.at(-1);
    if (element !== undefined) element.text += text;
  }

  end(): void {
    const element = this.open.pop();
    if (element === undefined) return;
    const parent = this.open.at(-1);
    const isInline = parent !== undefined && parent.text.trim() !== '' && !element.hasLines;
    if (isInline) parent.text += element.text;
    else this.line(element.name, element.text);
    if (element.hasLines) this.startsBlock = true;
  }

  private line(name: string, value: string): void {
    const text = value.replace(/\s+/g, ' ').trim();
    if (text === '') return;
    const line = text.length > LONGEST_VALUE ? text : `${name}: ${text}`;
    if (this.startsBlock) this.builder.paragraph(line);
    else this.builder.line(line);
    this.startsBlock = false;
    const parent = this.open.at(-1);
    if (parent !== undefined) parent.hasLines = true;
  }
}
