import type { AnalysedText } from './analysed-text';
import { type Name, possibleName } from './names';
import { hasTerm } from './terms';
import { type Token, tokensOf } from './tokens';

/** Where the words of a passage and of its name stand. */
export interface PassageWords {
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** The first letters of consecutive words with a capital, as an abbreviation has them. */
  readonly initials: string;
}

const CAPITAL = /^\p{Lu}/u;

const initialsOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ kind, text, folded }) =>
      kind === 'word' && CAPITAL.test(text) ? (folded[0] ?? '') : kind === 'word' && text.length < 4 ? '' : ' ',
    )
    .join('');

export const passageWords = (text: string): PassageWords => {
  const tokens = tokensOf(text);
  const places = new Map<string, number[]>();
  for (const [at, { kind, folded }] of tokens.entries()) {
    if (kind !== 'word') continue;
    const found = places.get(folded);
    if (found === undefined) places.set(folded, [at]);
    else found.push(at);
  }
  return { places, initials: initialsOf(tokens) };
};

const ABBREVIATION = /^\p{Lu}{2,6}$/u;
/** Words that may stand between two words of one name. */
const MOST_BETWEEN = 3;
const MOST_PLACES = 200;

const areNear = (one: readonly number[], other: readonly number[]): boolean => {
  const places = new Set(other.slice(0, MOST_PLACES));
  return one
    .slice(0, MOST_PLACES)
    .some((at) => Array.from({ length: MOST_BETWEEN }, (_, step) => at + step + 1).some((near) => places.has(near)));
};

const stands = ({ places: at, words }: Name, sentence: AnalysedText, passage: PassageWords): boolean =>
  words.every((word, index) => {
    const found = passage.places.get(word);
    const text = sentence.tokens[at[index] ?? 0]?.text ?? '';
    if (found === undefined) return ABBREVIATION.test(text) && passage.initials.includes(word);
    const before = passage.places.get(words[index - 1] ?? '');
    // The first word of a sentence may stand before a name by chance.
    return before === undefined || at[index - 1] === 0 || areNear(before, found);
  });

/**
 * Whether each name of a sentence stands in the passage or in the name of its document. The first word of a sentence
 * is a name where the rest is that of the text and a name of the text is missing.
 */
export const agreesOnNames = (sentence: AnalysedText, text: AnalysedText, passage: PassageWords): boolean => {
  if (!sentence.names.every((name) => stands(name, sentence, passage))) return false;
  const first = possibleName(sentence.tokens);
  if (first === undefined || passage.places.has(first)) return true;
  const others = sentence.terms.filter(({ at }) => at > 0);
  const [term] = sentence.terms;
  if (term?.at !== 0 || hasTerm(text.keys, term)) return true;
  const areKnown = others.every((other) => hasTerm(text.keys, other));
  const words = new Set(sentence.tokens.map(({ folded }) => folded));
  return !areKnown || text.names.every((name) => name.words.some((word) => words.has(word)));
};
