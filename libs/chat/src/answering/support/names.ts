import type { LanguageCode } from '@acervo/analysis';
import { isCalendarWord } from './dates';
import type { Token } from './tokens';
import type { WordForms } from './word-forms';

/** Words before a name that are no part of it. */
const TITLES = new Set('d don dona sr sra srta dr dra mr mrs ms i'.split(' '));
const CAPITAL = /^\p{Lu}/u;
const LETTERS = /^\p{L}+$/u;
const BEGINS = new Set(['.', ':', '!', '?', '…', '“', '"', '«', '\n', '(', '[', '—', '–']);

const isCapital = (token: Token | undefined): boolean =>
  token?.kind === 'word' && CAPITAL.test(token.text) && LETTERS.test(token.folded);

const begins = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1];
  return before === undefined || (before.kind === 'mark' && BEGINS.has(before.text));
};

/** Words of a name that follow each other; `tokens` are the places. */
export interface Name {
  readonly places: readonly number[];
  readonly words: readonly string[];
}

/**
 * The names of a text: words with a capital that do not begin a sentence, and a word that begins one where the next one
 * has a capital too. In German, where each noun has a capital, two such words are needed.
 */
export const namesOf = (tokens: readonly Token[], language: LanguageCode, forms: WordForms): readonly Name[] => {
  const names: Name[] = [];
  let places: number[] = [];
  const least = language === 'de' ? 2 : 1;
  const close = (): void => {
    if (places.length >= least) names.push({ places, words: places.map((at) => tokens[at]?.folded ?? '') });
    places = [];
  };
  for (const [at, token] of tokens.entries()) {
    const isName = isCapital(token) && !TITLES.has(token.folded) && !isCalendarWord(token.folded);
    const isFirst = begins(tokens, at);
    const isFunctionWord = isFirst && forms.tokens(token.folded, language).length === 0;
    if (isName && !isFunctionWord && (!isFirst || isCapital(tokens[at + 1]))) places.push(at);
    else close();
  }
  close();
  return names;
};

/** The first word of a sentence where it may be a name and nothing shows whether it is; undefined for others. */
export const possibleName = (tokens: readonly Token[]): string | undefined => {
  const [first, second] = tokens;
  return isCapital(first) && !isCapital(second) ? first?.folded : undefined;
};
