import { fold } from '@acervo/analysis';

/** A word, a number or an identifier; a sign of a unit; or a mark between them. */
export interface Token {
  readonly kind: 'word' | 'sign' | 'mark';
  readonly text: string;
  /** Lower case without accents. */
  readonly folded: string;
}

/** Words and numbers with the marks inside them, signs of units, and the marks that separate. */
const PIECES =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*(?:(?:[._/\-@'’&·]|(?<=\p{N})[,:](?=\p{N}))[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*)*|[%‰€$£¥]|[.,;:!?…()[\]—–"“”«»\n]/gu;
const SIGN = /[%‰€$£¥]/;
/** White space between the digits of one number. */
const DIGIT_GAP = /(?<=\d)[\u00a0\u2009\u202f](?=\d{3})/g;
/** Thousands that plain spaces separate: read apart, `50 000` would support a sentence that says 50. */
const SPACED_THOUSANDS = /(?<![\d.,/-])[1-9]\d{0,2}(?: \d{3}){1,4}(?![\d/-])/g;
const HAS_DIGIT = /\p{N}/u;
const IS_WORD = /^[\p{L}\p{N}]/u;
/** `12-month`: a number that is joined to a word. */
const NUMBER_AND_WORD = /^(\d[\d.,]*)-(\p{L}{3,})$/u;
/** `30min`, `2TB`: a number that is written together with its unit. */
const NUMBER_AND_UNIT = /^(\d[\d.,]*)(\p{L}{1,3}\d?)$/u;
const WORD_JOINT = /[._/\-&·]/;
const NOT = /^(\p{L}+)n['’]t$/iu;
const POSSESSIVE = /['’]s?$/iu;
/** An article or a preposition that an apostrophe joins to the next word, in Catalan, French and Italian. */
const ELIDED = /^(\p{L}{1,2})['’](\p{L}.*)$/u;

const token = (text: string): Token => ({ kind: 'word', text, folded: fold(text) });

const isAbbreviation = (parts: readonly string[]): boolean => parts.every((part) => part.length === 1);

const wordsOf = (piece: string): string[] => {
  const negated = NOT.exec(piece);
  if (negated !== null) return [negated[1] ?? '', 'not'];
  if (piece.toLowerCase() === 'cannot') return ['can', 'not'];
  const elided = ELIDED.exec(piece);
  if (elided !== null && !/^s$/i.test(elided[2] ?? '')) return [elided[1] ?? '', ...wordsOf(elided[2] ?? '')];
  const base = piece.replace(POSSESSIVE, '');
  const parts = base.split(WORD_JOINT);
  return isAbbreviation(parts) ? [parts.join('')] : parts;
};

const UNIT_ENDINGS = new Set(
  'h min s km m cm mm kg g t l ml kw mw w kwh mwh gb mb tb kb ha m2 m3 v a eur usd k'.split(' '),
);

const numberPieces = (piece: string): string[] => {
  const base = piece.replace(/['’]s$/i, '');
  const joined = NUMBER_AND_WORD.exec(base);
  if (joined !== null) return [joined[1] ?? '', joined[2] ?? ''];
  const united = NUMBER_AND_UNIT.exec(base);
  const isUnit = united !== null && UNIT_ENDINGS.has((united[2] ?? '').toLowerCase());
  return isUnit ? [united[1] ?? '', united[2] ?? ''] : [base];
};

/** A text with the digits of each number in one word. */
const joined = (text: string): string =>
  text.replace(DIGIT_GAP, '').replace(SPACED_THOUSANDS, (digits) => digits.replaceAll(' ', ''));

/** The tokens of a text, in order. Linear in its length. */
export const tokensOf = (text: string): Token[] =>
  [...joined(text).matchAll(PIECES)].flatMap(([piece]): Token[] => {
    if (SIGN.test(piece) && piece.length === 1) return [{ kind: 'sign', text: piece, folded: piece }];
    if (!IS_WORD.test(piece)) return [{ kind: 'mark', text: piece, folded: piece }];
    const parts = HAS_DIGIT.test(piece) ? numberPieces(piece) : wordsOf(piece);
    return parts.filter((part) => part !== '').map(token);
  });
