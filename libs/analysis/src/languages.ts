import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { franc } from 'franc';
import { fold } from './fold';
import { stopWords } from './stop-words';

/** The languages that text is told apart in. A further one is a row of the table below and its stop words. */
export const languageCodes = ['es', 'en', 'de', 'fr', 'pt', 'it'] as const;
export type LanguageCode = (typeof languageCodes)[number];

interface Language {
  /** Code of the language detector, ISO 639-3. */
  readonly iso: string;
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
}

/** The stemmer knows the suffix by its accent, which was folded away before. */
const stemSpanish = (word: string): string => spanish(word.replace(/([cs])ion$/, '$1ión'));

export const languages: Readonly<Record<LanguageCode, Language>> = {
  es: { iso: 'spa', stem: stemSpanish, stopWords: stopWords.es },
  en: { iso: 'eng', stem: english, stopWords: stopWords.en },
  de: { iso: 'deu', stem: german, stopWords: stopWords.de },
  fr: { iso: 'fra', stem: french, stopWords: stopWords.fr },
  pt: { iso: 'por', stem: portuguese, stopWords: stopWords.pt },
  it: { iso: 'ita', stem: italian, stopWords: stopWords.it },
};

/** For each stop word the languages that have it: a word of one language alone says more than one of many. */
const owners: ReadonlyMap<string, readonly LanguageCode[]> = languageCodes.reduce((found, code) => {
  for (const word of languages[code].stopWords) found.set(word, [...(found.get(word) ?? []), code]);
  return found;
}, new Map<string, LanguageCode[]>());

const LETTERS = /\p{L}+/gu;
const SAMPLE = 2_000;
/** How much more the first language must have than the second one. */
const LEAD = 1.2;

/** How much the stop words of a text speak for each language: decides short texts, where statistics of letters fail. */
const vote = (sample: string, among: readonly LanguageCode[]): LanguageCode | undefined => {
  const votes = new Map(among.map((code) => [code, 0]));
  for (const [word] of fold(sample).matchAll(LETTERS)) {
    const own = (owners.get(word) ?? []).filter((code) => votes.has(code));
    for (const code of own) votes.set(code, (votes.get(code) ?? 0) + 1 / own.length);
  }
  const [first, second] = [...votes].toSorted(([, a], [, b]) => b - a);
  return first !== undefined && first[1] > LEAD * (second?.[1] ?? 0) ? first[0] : undefined;
};

/** The language of a text, one of those given, from its first 2,000 characters; null where nothing decides. */
export const detectLanguage = (text: string, among: readonly LanguageCode[] = languageCodes): LanguageCode | null => {
  const sample = text.slice(0, SAMPLE);
  const voted = vote(sample, among);
  if (voted !== undefined) return voted;
  const iso = franc(sample, { only: among.map((code) => languages[code].iso), minLength: 20 });
  return among.find((code) => languages[code].iso === iso) ?? null;
};
