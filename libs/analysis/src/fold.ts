const MARKS = /\p{M}+/gu;
/** Letters that decomposition leaves unchanged, and their spelling on other keyboards. */
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

/** Lower case without accents, as users type in a hurry. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPELT_LETTERS, (letter) => SPELT[letter] ?? letter);
