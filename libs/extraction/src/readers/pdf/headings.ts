import type { RawPage } from '../../reader';

export interface Paragraph {
  readonly text: string;
  readonly lines: number;
  readonly size: number;
  readonly bold: boolean;
}

/** The dominant typography of a text. */
export interface Body {
  /** 0 if sizes are unknown. */
  readonly size: number;
  readonly bold: boolean;
}

const LARGER = 1.15;
const NOT_SMALLER = 0.95;
const MOST_LETTERS = 200;
const MOST_BOLD_LETTERS = 120;
const MOST_LINES = 3;
const LOWEST = 6;

/** Letters of a figure or a formula are not words. */
const WORD = /\p{L}{3}/u;
const SENTENCE_END = /[.,;]$/;

const half = (size: number): number => Math.round(size * 2) / 2;

const most = <Key>(counts: ReadonlyMap<Key, number>): Key | undefined =>
  [...counts].reduce<[Key, number] | undefined>(
    (best, entry) => (best && best[1] >= entry[1] ? best : entry),
    undefined,
  )?.[0];

/** The most frequent letter size, and whether most letters are bold. */
export const bodyOf = (pages: readonly RawPage[]): Body => {
  const sizes = new Map<number, number>();
  let bold = 0;
  let all = 0;
  for (const line of pages.flatMap(({ lines }) => lines)) {
    if (line.size > 0) sizes.set(half(line.size), (sizes.get(half(line.size)) ?? 0) + line.text.length);
    if (line.bold) bold += line.text.length;
    all += line.text.length;
  }
  return { size: most(sizes) ?? 0, bold: bold * 3 > all };
};

/** Detects headings by their typography and ranks them by size: the largest have level 1. */
export class HeadingScale {
  private readonly sizes: readonly number[];

  constructor(
    private readonly body: Body,
    paragraphs: readonly Paragraph[],
  ) {
    const large = paragraphs.filter((paragraph) => this.isLarge(paragraph)).map(({ size }) => half(size));
    this.sizes = [...new Set(large)].sort((one, other) => other - one);
  }

  /** Null for a paragraph that is not a heading. */
  levelOf(paragraph: Paragraph): number | null {
    if (this.isLarge(paragraph)) return Math.min(LOWEST, this.sizes.indexOf(half(paragraph.size)) + 1);
    return this.isBold(paragraph) ? Math.min(LOWEST, this.sizes.length + 1) : null;
  }

  private isLarge({ text, size, lines }: Paragraph): boolean {
    const isSet = this.body.size > 0 && size >= LARGER * this.body.size;
    return isSet && lines <= MOST_LINES && text.length <= MOST_LETTERS && WORD.test(text);
  }

  private isBold({ text, size, lines, bold }: Paragraph): boolean {
    const isSet = bold && !this.body.bold && this.body.size > 0 && size >= NOT_SMALLER * this.body.size;
    return (
      isSet && lines < MOST_LINES && text.length <= MOST_BOLD_LETTERS && WORD.test(text) && !SENTENCE_END.test(text)
    );
  }
}
