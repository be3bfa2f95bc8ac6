import type { Range } from '@acervo/analysis';

const GAPS = /\s+/gu;

/**
 * A part of a text whose gaps are one space each, to look words up in: to the letter but for white space, since models
 * join the lines that a page breaks.
 */
export class Words {
  private readonly joined: string;
  /** The place in the text of each character of `joined`. */
  private readonly places: readonly number[];

  constructor(
    private readonly text: string,
    { start, end }: Range,
  ) {
    const [characters, places]: [string[], number[]] = [[], []];
    for (let at = start; at < end; at += 1) {
      const character = text[at] ?? '';
      const isGap = /\s/u.test(character);
      if (isGap && characters.at(-1) === ' ') continue;
      characters.push(isGap ? ' ' : character);
      places.push(at);
    }
    [this.joined, this.places] = [characters.join(''), places];
  }

  /** Where words stand in the text; undefined where they do not. */
  placeOf(words: string): Range | undefined {
    const wanted = words.replace(GAPS, ' ').trim();
    const at = wanted === '' ? -1 : this.joined.indexOf(wanted);
    const [start, last] = [this.places[at], this.places[at + wanted.length - 1]];
    return start === undefined || last === undefined ? undefined : { start, end: last + 1 };
  }

  /** The words as the text has them; null where they do not stand in it. */
  standing(words: string | null): string | null {
    const place = words === null ? undefined : this.placeOf(words);
    return place === undefined ? null : this.text.slice(place.start, place.end);
  }
}

/** What a screen would load or open: an address, a link or an image of Markdown, a tag of HTML. */
const OUTSIDE =
  /\b[a-z][a-z0-9+.-]{1,15}:\/\/|\bwww\.|\b(?:mailto|javascript|data|vbscript):|\]\(|!\[|\]:\s|<[a-z/!?]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,31});/iu;

/** Whether a text has something that leads out of the document. */
export const leadsOutside = (text: string): boolean => OUTSIDE.test(text);
