import { accented } from './accents';
import type { Segment } from './segments';
import { WordDraft } from './word-draft';

/** A drawn character. */
export interface Letter {
  readonly code: number;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
}

/** In multiples of the letter size. */
const WIDE_GAP = 0.9;
const MOST_OVERLAP = 0.6;
const MOST_SHIFT = 0.5;
const WORD_GAP = 0.12;
const INDEX_GAP = 0.03;
/** Share of the width of an accent that overlaps the letter under it. */
const OVER = 0.5;

const WORD = /[\p{L}\p{N}]/u;
/** The bullets of a symbol font, and their Unicode characters. */
const BULLETS: Readonly<Record<number, string>> = { 0xf0b7: '•', 0xf0a7: '▪', 0xf0d8: '➢' };

const isRightToLeft = (code: number): boolean =>
  code >= 0x590 && (code <= 0x8ff || (code >= 0xfb1d && code <= 0xfefc && (code <= 0xfdff || code >= 0xfe70)));

const written = (code: number): string => {
  const character = String.fromCodePoint(code);
  if (code < 0xf000) return character;
  return code >= 0xfb00 && code <= 0xfb06 ? character.normalize('NFKC') : (BULLETS[code] ?? character);
};

/** A segment under construction. Inserts a space where the file draws a gap instead of a space. */
export class SegmentDraft {
  private text = '';
  private word = new WordDraft();
  private letters = 0;
  private left = Infinity;
  private right = -Infinity;
  private base = 0;
  private size = 0;
  private last: Letter | null = null;

  constructor(readonly firstIndex: number) {}

  get length(): number {
    return this.letters;
  }

  /** A space character of the file. */
  space(): void {
    this.text += `${this.word.finish()} `;
    this.word = new WordDraft();
  }

  /** Whether a letter continues this segment. */
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
    const joined = this.isUnderLast(letter) ? accented(this.last?.code ?? 0, character) : null;
    if (joined === null) this.word.add(character, this.isApart(letter));
    else this.word.replace(joined);
    this.letters += 1;
    if (letter.left < this.left) this.left = letter.left;
    if (letter.right > this.right) this.right = letter.right;
    if (letter.size > this.size) {
      this.size = letter.size;
      this.base = letter.base;
    }
    this.last = letter;
  }

  finish(bold: boolean): Segment {
    const { left, right, base, size } = this;
    const text = (this.text + this.word.finish()).replace(/ {2,}/g, ' ').trim();
    return { text, left, right, base, size, bold, order: this.firstIndex };
  }

  private isSameBox({ left, right }: Letter): boolean {
    return this.last !== null && this.last.left === left && this.last.right === right;
  }

  private isUnderLast({ left, right }: Letter): boolean {
    const { last } = this;
    if (last === null || last.right <= left) return false;
    return Math.min(last.right, right) - Math.max(last.left, left) > OVER * (last.right - last.left);
  }

  private isApart(letter: Letter): boolean {
    const { last } = this;
    if (last === null) return false;
    const gap = (letter.left - last.right) / Math.max(letter.size, last.size);
    if (gap <= INDEX_GAP || isRightToLeft(letter.code) || isRightToLeft(last.code)) return false;
    // After an index even the smallest gap counts, except within a word such as a chemical formula.
    return gap > WORD_GAP || (last.size < 0.9 * letter.size && !WORD.test(String.fromCodePoint(letter.code)));
  }
}
