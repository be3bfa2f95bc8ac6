import { mayPrecede } from './letters-of-languages';

const LETTER = /\p{L}/u;
const LATIN = /\p{Script=Latin}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
const BROKEN = /[\u0080-\u009f\ufffd\ue000-\uf8ff]/u;
/** Marks that stand between letters: apostrophes, hyphens and the dot of Catalan. */
const JOINING = /[’‘·\u00ad\u00a0–‑]/u;
/** Signs that texts contain beside their words. */
const ORDINARY = /[\u00a0¡¿«»‹›“”„‘’‚–—…•·€£§©®™°ºª²³½¼¾×÷±†\u2500-\u259f]/u;
/** Signs where texts have them; each pattern begins with the three characters before the sign. */
const TYPICAL: readonly RegExp[] = [
  /^..[lL]·[lL]/u,
  /^..\p{L}’(?:[aeiouhyàáâèéêíòóôúü]|(?:s|t|m|d|ll|re|ve)(?!\p{L}))/iu,
  /^..[^\p{L}\p{N}][¡¿«“„‹‘][\p{L}\p{N} ]/u,
  /^..[\p{L}\p{N}.,;:!? ][»”›](?!\p{L})/u,
  /^.\S\s[–—]\s\S/u,
  /^.. [cdkm]?m[²³]/u,
  /^..\d[°€£%]|^.\d [°€£]|^..\P{L}[€£§] ?\d/u,
  /^.[\d.]?[\d.][ºª](?!\p{L})/u,
  /^..[ \d][½¼¾](?!\p{L})/u,
];

/** Points of a character: that no text contains, a sign inside a word, a strange letter, a sign at a word, a usual one. */
const POINTS = { broken: -4, inside: -3, strange: -2, sign: -1, typical: 2 } as const;

export const isLatin = (letter: string): boolean => LATIN.test(letter);

/** A character beyond ASCII and what stands around it. */
interface Place {
  readonly character: string;
  readonly before: string;
  readonly after: string;
  /** Three characters before it and three after it, spaces at the ends of the text. */
  readonly around: string;
}

const hasStrangeCase = ({ character, before, after }: Place): boolean => {
  if (UPPER.test(character)) return LOWER.test(before) || (UPPER.test(before) && LOWER.test(after));
  return LOWER.test(character) && UPPER.test(after) && (UPPER.test(before) || !LETTER.test(before));
};

const lettersOf = (text: string): string => text.replace(/\P{L}/gu, '');

/**
 * Four letters beyond ASCII in a row are no word of the Latin script, and three equal ones of none; letters of two
 * scripts do not stand in one word.
 */
const isMisplaced = ({ character, before, after, around }: Place): boolean => {
  if (around.startsWith(character + character, 1)) return true;
  if (!isLatin(character)) return isLatin(before) || isLatin(after);
  const isInRow = [...around.slice(0, 3)].every((letter) => letter > '\u007f' && LETTER.test(letter));
  return isInRow || /\P{Script=Latin}/u.test(lettersOf(before + after));
};

const pointsOfSign = ({ character, before, after, around }: Place): number => {
  if (TYPICAL.some((pattern) => pattern.test(around))) return POINTS.typical;
  if (LETTER.test(before) && LETTER.test(after)) return JOINING.test(character) ? 0 : POINTS.inside;
  return ORDINARY.test(character) || !(LETTER.test(before) || LETTER.test(after)) ? 0 : POINTS.sign;
};

/** What the characters beyond ASCII say about a text, whatever its language. */
export interface Evidence {
  /** Of signs, and of letters that no language has where they stand. */
  readonly points: number;
  /** The other letters that stand in words, in lower case, with their numbers. */
  readonly letters: ReadonlyMap<string, number>;
}

/** The evidence of a decoded text. Linear. */
export const evidenceIn = (text: string): Evidence => {
  let points = 0;
  const letters = new Map<string, number>();
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character.charCodeAt(0) < 0x80) continue;
    const around = text.slice(Math.max(0, at - 3), at).padStart(3) + text.slice(at, at + 4).padEnd(4);
    const place: Place = { character, before: around[2] ?? '', after: around[4] ?? '', around };
    const small = character === 'İ' ? character : character.toLowerCase();
    if (BROKEN.test(character)) points += POINTS.broken;
    else if (!LETTER.test(character)) points += pointsOfSign(place);
    else if (hasStrangeCase(place) || isMisplaced(place) || !mayPrecede(small, place.after)) points += POINTS.strange;
    else if (lettersOf(place.before + place.after) !== '') letters.set(small, (letters.get(small) ?? 0) + 1);
  }
  return { points, letters };
};
