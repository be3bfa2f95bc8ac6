import { franc } from 'franc';
import { fold } from '../fold';
import { defaultLanguages, knownLanguages, type LanguageCode, languages, type Languages } from './table';

/** For each stop word the languages that have it: a word of a single language has more weight than a word of many. */
const owners: ReadonlyMap<string, readonly LanguageCode[]> = knownLanguages.reduce((found, code) => {
  for (const word of languages[code].stopWords) found.set(word, [...(found.get(word) ?? []), code]);
  return found;
}, new Map<string, LanguageCode[]>());

const LETTERS = /\p{L}+/gu;
const SAMPLE = 2_000;
/** The factor by which the first language must lead the second one. */
const LEAD = 1.2;

/** The share of words that are stop words of one language: that of the language with the highest; 0 without words. */
export const stopWordShare = (words: readonly string[]): number => {
  const votes = new Map<LanguageCode, number>();
  for (const word of words)
    for (const code of owners.get(fold(word)) ?? []) votes.set(code, (votes.get(code) ?? 0) + 1);
  return words.length === 0 ? 0 : Math.max(0, ...votes.values()) / words.length;
};

/** Stop words of another language that say of a sentence that it is written in it. */
const CLEAR = 3;

/** Whether the stop words of a sentence clearly are those of another language. */
export const isOfAnotherLanguage = (sentence: string, language: LanguageCode): boolean => {
  const votes = new Map<LanguageCode, number>(knownLanguages.map((code) => [code, 0]));
  for (const [word] of fold(sentence).matchAll(LETTERS))
    for (const code of owners.get(word) ?? []) votes.set(code, (votes.get(code) ?? 0) + 1);
  const own = votes.get(language) ?? 0;
  return Math.max(...votes.values()) >= Math.max(CLEAR, 2 * own + 1);
};

/** Letters or endings that point at one language. */
interface Sign {
  readonly language: LanguageCode;
  readonly pattern: RegExp;
  /** So many of them count as one stop word. */
  readonly per: number;
}

/**
 * Signs decide between neighbours such as pt and gl. The last endings of Basque end a few words of other languages too,
 * such as Slovak and Tabak, so that one of them alone does not count. Those of clean, week, crean, nutzen and Formularen
 * end too many of them to be signs.
 */
const SIGNS: readonly Sign[] = [
  { language: 'pt', pattern: /[ãõ]/giu, per: 1 },
  { language: 'ca', pattern: /l[·‧]l/giu, per: 1 },
  { language: 'de', pattern: /ß/giu, per: 1 },
  { language: 'fr', pattern: /œ/giu, per: 1 },
  {
    language: 'eu',
    pattern: /\p{L}{2}(?:arekin|eta(?:tik|ko)|entza(?:t|ko)|tze(?:a|ko)|tasuna?|[lr]tzen|kuntza|tzaren)(?!\p{L})/giu,
    per: 1,
  },
  {
    language: 'eu',
    pattern: /\p{L}{2}(?:(?<![aeo])ak|\p{L}(?<![pr])[eo]ak|[eiu]aren|ekin|keta|oen|[aeou]ko|rriko)(?!\p{L})/giu,
    per: 2,
  },
];

/** Scores each language by the stop words and the signs of a text. Decides short texts, where statistics of letters fail. */
const vote = (sample: string, among: readonly LanguageCode[]): LanguageCode | undefined => {
  const votes = new Map(among.map((code) => [code, 0]));
  for (const [word] of fold(sample).matchAll(LETTERS)) {
    const candidates = (owners.get(word) ?? []).filter((code) => votes.has(code));
    for (const code of candidates) votes.set(code, (votes.get(code) ?? 0) + 1 / candidates.length);
  }
  for (const { language, pattern, per } of SIGNS) {
    const found = votes.get(language);
    const signs = sample.match(pattern)?.length ?? 0;
    if (found !== undefined) votes.set(language, found + Math.floor(signs / per));
  }
  const [first, second] = [...votes].toSorted(([, a], [, b]) => b - a);
  return first !== undefined && first[1] > LEAD * (second?.[1] ?? 0) ? first[0] : undefined;
};

/** The language of a text among the given ones, from its first 2,000 characters; null if undecided. */
export const detectLanguage = (text: string, among: Languages = defaultLanguages): LanguageCode | null => {
  const sample = text.slice(0, SAMPLE);
  const voted = vote(sample, among);
  if (voted !== undefined) return voted;
  const iso = franc(sample, { only: among.map((code) => languages[code].iso), minLength: 20 });
  return among.find((code) => languages[code].iso === iso) ?? null;
};

/** The same; the first of the given languages if undecided. */
export const languageOf = (text: string, among: Languages): LanguageCode => detectLanguage(text, among) ?? among[0];
