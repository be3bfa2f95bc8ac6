import { fold, type LanguageCode, tokenize } from '@acervo/analysis';
import { CONTRASTS, DENIALS, SYNONYMS } from './vocabulary';

/** One side of a group of opposites, such as `before` of before and after. */
export interface Side {
  readonly group: number;
  readonly side: number;
}

/** What is known of a word, in all its forms. */
export interface WordForm {
  /** The numbers of the lists of synonyms that have it. */
  readonly concepts: readonly number[];
  readonly sides: readonly Side[];
  /** What it denies: `permitir` for `prohibido`; undefined for other words. */
  readonly denied: string | undefined;
}

/** A preterite such as `extendió` has lost its accent, and with it the ending that the stemmer knows. */
const PRETERITE = /^\p{L}{3,20}io$/u;
const spanishTokens = (word: string): string[] =>
  PRETERITE.test(word) ? [...tokenize(word, 'es'), ...tokenize(`${word.slice(0, -2)}er`, 'es')] : tokenize(word, 'es');

const stemsOf = (word: string): string[] => {
  const folded = fold(word);
  return [...new Set([...spanishTokens(folded), ...tokenize(folded, 'en'), folded])];
};

const linesOf = (table: string): string[] => table.trim().split('\n');

const addTo = <V>(map: Map<string, V[]>, key: string, value: V): void => {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
};

const indexed = <V>(entries: readonly (readonly [words: string, value: V])[]): ReadonlyMap<string, readonly V[]> => {
  const found = new Map<string, V[]>();
  for (const [words, value] of entries)
    for (const stem of new Set(words.split(' ').flatMap(stemsOf))) addTo(found, stem, value);
  return found;
};

const CONCEPTS = indexed(linesOf(SYNONYMS).map((line, concept) => [line, concept]));
const DENIED = indexed(
  linesOf(DENIALS).map((line) => {
    const [words = '', base = ''] = line.split(' : ');
    return [words, base] as const;
  }),
);
const SIDES = indexed(
  linesOf(CONTRASTS).flatMap((line, group) => line.split('|').map((words, side) => [words, { group, side }] as const)),
);

/** Looks words up, each once. An instance lives as long as the texts of one answer. */
export class WordForms {
  private readonly found = new Map<string, WordForm>();
  private readonly stems = new Map<string, readonly string[]>();

  /** @param word folded */
  of(word: string): WordForm {
    const form = this.found.get(word) ?? this.look(word);
    this.found.set(word, form);
    return form;
  }

  /** The tokens of a word in a language; empty for a stop word. */
  tokens(word: string, language: LanguageCode): readonly string[] {
    const key = `${language} ${word}`;
    const tokens = this.stems.get(key) ?? (language === 'es' ? spanishTokens(word) : tokenize(word, language));
    this.stems.set(key, tokens);
    return tokens;
  }

  private look(word: string): WordForm {
    const stems = stemsOf(word);
    const [denied] = stems.flatMap((stem) => DENIED.get(stem) ?? []);
    return {
      concepts: [...new Set(stems.flatMap((stem) => CONCEPTS.get(stem) ?? []))],
      sides: stems.flatMap((stem) => SIDES.get(stem) ?? []),
      denied,
    };
  }
}
