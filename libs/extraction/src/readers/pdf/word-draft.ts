/** Where a word has so many gaps, and more than this share of those it could have, it is set wide: they part no words. */
const LEAST_GAPS = 2;
const SET_WIDE = 0.5;

/** What stands between two spaces of the file, with and without the gaps that are drawn in it. */
export class WordDraft {
  private spaced = '';
  private plain = '';
  private letters = 0;
  private gaps = 0;

  add(character: string, isApart: boolean): void {
    const isGap = isApart && this.letters > 0;
    if (isGap) this.gaps += 1;
    this.spaced += isGap ? ` ${character}` : character;
    this.plain += character;
    this.letters += 1;
  }

  /** Puts another character in the place of the last one. */
  replace(character: string): void {
    this.spaced = this.spaced.slice(0, -1) + character;
    this.plain = this.plain.slice(0, -1) + character;
  }

  finish(): string {
    const isWide = this.gaps >= LEAST_GAPS && this.gaps > SET_WIDE * (this.letters - 1);
    return isWide ? this.plain : this.spaced;
  }
}
