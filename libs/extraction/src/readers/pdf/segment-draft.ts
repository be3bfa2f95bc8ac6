import type { Segment } from './segments';

/** A character as it is drawn. */
export interface Letter {
  readonly code: number;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
}

/** In parts of the size of the letters. */
const WIDE_GAP = 0.9;
const MOST_OVERLAP = 0.6;
const MOST_SHIFT = 0.5;
const WORD_GAP = 0.12;
const INDEX_GAP = 0.03;
/** Above this share of gaps the letters are set apart as a style, and gaps say nothing of words. */
const SPACED_OUT = 0.4;

const WORD = /[\p{L}\p{N}]/u;
/** The bullets of a symbol font, and what they look like. */
const BULLETS: Readonly<Record<number, string>> = { 0xf0b7: '•', 0xf0a7: '▪', 0xf0d8: '➢' };

const isRightToLeft = (code: number): boolean =>
  code >= 0x590 && (code <= 0x8ff || (code >= 0xfb1d && code <= 0xfefc && (code <= 0xfdff || code >= 0xfe70)));

const written = (code: number): string => {
  const character = String.fromCodePoint(code);
  if (code < 0xf000) return character;
  return code >= 0xfb00 && code <= 0xfb06 ? character.normalize('NFKC') : (BULLETS[code] ?? character);
};

/** A segment while its letters come. Puts a space where the file draws a gap instead of writing one. */
export class SegmentDraft {
  private spaced = '';
  private plain = '';
  private letters = 0;
  private gaps = 0;
  private left = Infinity;
  private right = -Infinity;
  private base = 0;
  private size = 0;
  private last: Letter | null = null;
  private hasSpace = false;

  constructor(readonly firstIndex: number) {}

  get length(): number {
    return this.letters;
  }

  space(): void {
    this.hasSpace = true;
  }

  /** Whether a letter goes on with this segment. */
  takes(letter: Letter): boolean {
    const { last } = this;
    if (last === null) return true;
    const size = Math.max(this.size, letter.size);
    if (Math.abs(letter.base - this.base) > MOST_SHIFT * size) return false;
    const gap = letter.left - last.right;
    if (gap <= WIDE_GAP * size && gap >= -MOST_OVERLAP * size) return true;
    return this.isSameBox(letter) || isRightToLeft(letter.code) || isRightToLeft(last.code);
  }

  add(letter: Letter): void {
    const character = written(letter.code);
    const space = this.hasSpace && this.letters > 0 ? ' ' : '';
    const isApart = !this.hasSpace && this.isApart(letter);
    if (isApart) this.gaps += 1;
    this.spaced += isApart ? ` ${character}` : space + character;
    this.plain += space + character;
    this.letters += 1;
    if (letter.left < this.left) this.left = letter.left;
    if (letter.right > this.right) this.right = letter.right;
    if (letter.size > this.size) {
      this.size = letter.size;
      this.base = letter.base;
    }
    this.last = letter;
    this.hasSpace = false;
  }

  finish(bold: boolean): Segment {
    const { left, right, base, size } = this;
    const text = this.gaps > SPACED_OUT * this.letters ? this.plain : this.spaced;
    return { text, left, right, base, size, bold, order: this.firstIndex };
  }

  private isSameBox({ left, right }: Letter): boolean {
    return this.last !== null && this.last.left === left && this.last.right === right;
  }

  private isApart(letter: Letter): boolean {
    const { last } = this;
    if (last === null) return false;
    const gap = (letter.left - last.right) / Math.max(letter.size, last.size);
    if (gap <= INDEX_GAP || isRightToLeft(letter.code) || isRightToLeft(last.code)) return false;
    // Behind an index the least gap counts, except within a word such as a chemical formula.
    return gap > WORD_GAP || (last.size < 0.9 * letter.size && !WORD.test(String.fromCodePoint(letter.code)));
  }
}
