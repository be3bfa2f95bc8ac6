import { tokenize } from '@acervo/analysis';
import type { HelpLanguage } from './handbook';
import { wordings } from './handbook/wordings';

interface Word {
  readonly word: string;
  readonly stem: string;
}

const WORDS = /[\p{L}\p{N}_]+/gu;
/** Words of the longest phrase, stop words aside. */
const LONGEST = 3;

/** The words of a text that have a meaning, with their stems. */
const wordsOf = (text: string, language: HelpLanguage): Word[] =>
  [...text.matchAll(WORDS)].flatMap(([word]) => {
    const [stem] = tokenize(word, language);
    return stem === undefined ? [] : [{ word, stem }];
  });

const keyOf = (words: readonly Word[]): string => words.map(({ stem }) => stem).join(' ');

/** What stands in the handbook for what people say, by stems; an empty text where that says nothing of a subject. */
const compile = (language: HelpLanguage): ReadonlyMap<string, string> => {
  const { fillers, spoken } = wordings[language];
  const empty = wordsOf(fillers, language).map(({ stem }) => [stem, ''] as const);
  const replaced = Object.entries(spoken).flatMap(([word, phrases]) =>
    phrases.split(', ').map((phrase) => [keyOf(wordsOf(phrase, language)), word] as const),
  );
  return new Map([...empty, ...replaced]);
};

const tables: Readonly<Record<HelpLanguage, ReadonlyMap<string, string>>> = { es: compile('es'), en: compile('en') };

/** The first words as the handbook says them, and how many they are: those of the longest phrase that it knows. */
const begin = (words: readonly Word[], table: ReadonlyMap<string, string>): { phrase: string; length: number } => {
  for (let length = Math.min(LONGEST, words.length); length > 0; length -= 1) {
    const phrase = table.get(keyOf(words.slice(0, length)));
    if (phrase !== undefined) return { phrase, length };
  }
  return { phrase: words[0]?.word ?? '', length: 1 };
};

/** A question in the words of the handbook, without words that say nothing of its subject. */
export const inHandbookWords = (question: string, language: HelpLanguage): string => {
  const words = wordsOf(question, language);
  const phrases: string[] = [];
  for (let at = 0; at < words.length;) {
    const next = begin(words.slice(at), tables[language]);
    phrases.push(next.phrase);
    at += next.length;
  }
  return phrases.filter((word) => word !== '').join(' ');
};
