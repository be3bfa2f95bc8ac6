/**
 * A word with this many gaps, and more than this share of its possible gaps, is letter-spaced: its gaps do not separate
 * words.
 */
const LEAST_GAPS = 2;
const SET_WIDE = 0.5;

/** The text between two spaces of the file, with and without its drawn gaps. */
export class WordDraft {
  private spaced = '';
  private unmarked = '';
  private letters = 0;
  private gaps = 0;

  add(character: string, isApart: boolean): void {
    const isGap = isApart && this.letters > 0;
    if (isGap) this.gaps += 1;
    this.spaced += isGap ? ` ${character}` : character;
    this.unmarked += character;
    this.letters += 1;
  }

  /** Replaces the last character. */
  replace(character: string): void {
    this.spaced = this.spaced.slice(0, -1) + character;
    this.unmarked = this.unmarked.slice(0, -1) + character;
  }

  finish(): string {
    const isWide = this.gaps >= LEAST_GAPS && this.gaps > SET_WIDE * (this.letters - 1);
    return isWide ? this.unmarked : this.spaced;
  }
}
