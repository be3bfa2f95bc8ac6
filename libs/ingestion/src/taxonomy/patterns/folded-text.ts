import { fold } from '@acervo/analysis';

const SPACES = /\s{2,}|[^\S ]/g;
const SPACE = /\s/;
const LAST_ASCII = 0x7f;

/**
 * Text as rules compare it: folded as search folds it, each run of white space one space. Both forms of the Greek
 * sigma are one letter, since lower case depends on what follows it.
 */
export const comparable = (text: string): string => fold(text).replaceAll('ς', 'σ').replace(SPACES, ' ');

/** A text beside its comparable form; ranges of the comparable form lead back to the text, to the letter. */
export class FoldedText {
  readonly folded: string;
  private starts: Uint32Array | undefined;

  constructor(readonly text: string) {
    this.folded = comparable(text);
  }

  /** The place in the text of a place in the comparable form. */
  origin(place: number): number {
    this.starts ??= this.placed();
    return this.starts[place] ?? this.text.length;
  }

  /** The range of the text that gave a range of the comparable form; half of a ligature gives all of it. */
  range(start: number, end: number): { readonly start: number; readonly end: number } {
    const from = this.origin(start);
    if (end <= start) return { start: from, end: from };
    const last = this.origin(end - 1);
    let next = end;
    while (next < this.folded.length && this.origin(next) === last) next += 1;
    return { start: from, end: this.withoutSpaces(last, this.origin(next)) };
  }

  /** A space stands for a run of white space, of which the range takes all. */
  private withoutSpaces(last: number, end: number): number {
    if (SPACE.test(this.text[last] ?? '')) return end;
    let at = end;
    while (at > last + 1 && SPACE.test(this.text[at - 1] ?? '')) at -= 1;
    return at;
  }

  private placed(): Uint32Array {
    const starts = new Uint32Array(this.folded.length);
    const cache = new Map<string, string>();
    let [place, isAfterSpace] = [0, false];
    const add = (at: number, isSpace: boolean): void => {
      if (!isSpace || !isAfterSpace) starts[(place += 1) - 1] = at;
      isAfterSpace = isSpace;
    };
    for (let at = 0; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code <= LAST_ASCII) {
        add(at, isAsciiSpace(code));
        continue;
      }
      const character = String.fromCodePoint(this.text.codePointAt(at) ?? code);
      for (const unit of foldedUnits(character, cache).split('')) add(at, SPACE.test(unit));
      at += character.length - 1;
    }
    return starts;
  }
}

/** Space, and tab to carriage return. */
const isAsciiSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

const foldedUnits = (character: string, cache: Map<string, string>): string => {
  const units = cache.get(character) ?? fold(character);
  cache.set(character, units);
  return units;
};
