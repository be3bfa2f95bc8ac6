import type { Segment } from './segments';

export interface Letter {
  readonly character: string;
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
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LIGATURE = /[\ufb00-\ufb06]/;
/** The bullets of a symbol font, and what they look like. */
const BULLETS: Readonly<Record<string, string>> = { '\uf0b7': '•', '\uf0a7': '▪', '\uf0d8': '➢' };

const readable = (character: string): string =>
  LIGATURE.test(character) ? character.normalize('NFKC') : (BULLETS[character] ?? character);

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
    if (this.isSameBox(letter) || RIGHT_TO_LEFT.test(letter.character) || RIGHT_TO_LEFT.test(last.character))
      return true;
    const gap = letter.left - last.right;
    return gap <= WIDE_GAP * size && gap >= -MOST_OVERLAP * size;
  }

  add(letter: Letter): void {
    const isApart = !this.hasSpace && this.isApart(letter);
    const written = this.hasSpace && this.letters > 0 ? ' ' : '';
    if (isApart) this.gaps += 1;
    const character = readable(letter.character);
    this.spaced += `${isApart ? ' ' : written}${character}`;
    this.plain += `${written}${character}`;
    this.letters += 1;
    this.left = Math.min(this.left, letter.left);
    this.right = Math.max(this.right, letter.right);
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
    if (last === null || this.isSameBox(letter) || RIGHT_TO_LEFT.test(letter.character + last.character)) return false;
    const gap = (letter.left - last.right) / Math.max(letter.size, last.size);
    // Behind an index the least gap counts, except within a word such as a chemical formula.
    const isBehindIndex = last.size < 0.9 * letter.size && !WORD.test(letter.character);
    return gap > (isBehindIndex ? INDEX_GAP : WORD_GAP);
  }
}
