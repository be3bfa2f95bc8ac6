const MARKS = /\p{M}+/gu;
/** Letters that are no letter with an accent and are still written otherwise by those who lack the key. */
const SPELT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const SPELT_LETTERS = /[ßæœøđłðþı]/g;

/** Lower case without accents: the spelling of somebody who is in a hurry. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPELT_LETTERS, (letter) => SPELT[letter] ?? letter);
