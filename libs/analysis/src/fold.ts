/** Accents, and characters that no reader sees: soft hyphens, zero-width spaces and joiners. */
const MARKS = /[\p{M}\u00ad\u200b-\u200d\u2060\ufeff]+/gu;
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

const ASCII = /^[\x00-\x7f]*$/;

/** Whether every character of a text is ASCII: such a text has neither accents nor unseen characters. */
export const isAscii = (text: string): boolean => ASCII.test(text);

/** Lower case without accents and unseen characters, as users type in a hurry. */
export const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(MARKS, '')
        .toLowerCase()
        .replace(SPELT_LETTERS, (letter) => SPELT[letter] ?? letter);
