import { Parser } from 'htmlparser2';
import { LimitExceeded } from '../../errors';
import type { FlowWriter } from '../../flow-writer';
import type { ReadLimits } from '../../reader';
import { type Attributes, hidesContent } from './hidden-elements';

const BLOCKS = new Set(
  `p div section article aside main nav header footer address blockquote pre ul ol li dl dt dd figure figcaption form
   fieldset hr center body details summary caption`.split(/\s+/),
);
const HEADING = /^h([1-6])$/;

/** Streams HTML, however malformed, into a flow. Fetches nothing and runs nothing. */
export class Hypertext {
  private readonly parser: Parser;
  private readonly lists: { count: number | null }[] = [];
  private depth = 0;
  private deepest = 0;
  private count = 0;
  private skippedFrom = 0;
  private preformatted = 0;
  private block = '';
  private label = '';
  private level = 0;
  /** For each open row: whether all its cells name columns. */
  private readonly rows: boolean[] = [];
  private readonly spans: number[] = [];

  constructor(
    private readonly flow: FlowWriter,
    private readonly limits: Pick<ReadLimits, 'elementDepth'>,
  ) {
    this.parser = new Parser(
      {
        onopentag: (name, attributes) => this.open(name, attributes),
        ontext: (text) => this.text(text),
        onclosetag: (name) => this.close(name),
      },
      { decodeEntities: true, recognizeSelfClosing: true },
    );
  }

  write(text: string): void {
    this.parser.write(text);
  }

  end(): void {
    this.parser.end();
    this.endBlock();
  }

  /** How many elements it has read, and how deep the deepest lies. */
  get size(): { readonly elements: number; readonly depth: number } {
    return { elements: this.count, depth: this.deepest };
  }

  private open(name: string, attributes: Attributes): void {
    this.count += 1;
    this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
    if (this.depth > this.limits.elementDepth)
      throw new LimitExceeded('elements inside elements', this.limits.elementDepth);
    if (this.skippedFrom > 0) return;
    if (hidesContent(name, attributes)) this.skippedFrom = this.depth;
    else if (!this.openTablePart(name, attributes)) this.openBlock(name, attributes);
  }

  private close(name: string): void {
    if (this.skippedFrom === 0) this.leave(name);
    if (this.skippedFrom === this.depth) this.skippedFrom = 0;
    this.depth -= 1;
  }

  private openBlock(name: string, attributes: Attributes): void {
    if (name === 'br') this.block += '\n';
    const level = HEADING.exec(name)?.[1];
    if (level === undefined && !BLOCKS.has(name)) return;
    this.endBlock();
    if (level !== undefined) this.level = Number(level);
    if (name === 'pre') this.preformatted += 1;
    if (name === 'ul' || name === 'ol')
      this.lists.push({ count: name === 'ol' ? (Number(attributes['start']) || 1) - 1 : null });
    if (name === 'li') this.label = this.nextLabel();
  }

  private nextLabel(): string {
    const list = this.lists.at(-1);
    if (list === undefined || list.count === null) return '• ';
    list.count += 1;
    return `${list.count}. `;
  }

  private openTablePart(name: string, attributes: Attributes): boolean {
    if (!['table', 'tr', 'td', 'th'].includes(name)) return false;
    this.endBlock();
    if (name === 'table') this.flow.openTable();
    else if (name === 'tr') {
      this.flow.openRow();
      this.rows.push(true);
    } else {
      this.flow.openCell();
      if (name === 'td' && this.rows.length > 0) this.rows[this.rows.length - 1] = false;
      this.spans.push(Number(attributes['colspan']) || 1);
    }
    return true;
  }

  private leave(name: string): void {
    const isBlock = BLOCKS.has(name) || HEADING.test(name) || ['table', 'tr', 'td', 'th'].includes(name);
    if (isBlock) this.endBlock();
    if (name === 'pre') this.preformatted -= 1;
    else if (name === 'ul' || name === 'ol') this.lists.pop();
    else if (name === 'td' || name === 'th') this.flow.closeCell(this.spans.pop());
    else if (name === 'tr') this.endRow();
    else if (name === 'table') this.flow.closeTable();
  }

  private endRow(): void {
    if (this.rows.pop() === true) this.flow.markHeader();
  }

  private text(text: string): void {
    if (this.skippedFrom === 0) this.block += this.preformatted > 0 ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
  }

  private endBlock(): void {
    const { block, label, level } = this;
    this.block = '';
    this.level = 0;
    if (block.trim() === '') return;
    this.label = '';
    this.flow.paragraph(label + (this.preformatted > 0 ? block : tidy(block)), level);
  }
}

/** Lines of a block without the spaces around them. */
const tidy = (block: string): string =>
  block
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
