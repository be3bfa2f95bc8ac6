import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { franc } from 'franc';

/** The languages that text is told apart in. A further one is a row of the table below. */
export const languageCodes = ['es', 'en'] as const;
export type LanguageCode = (typeof languageCodes)[number];

interface Language {
  /** Code of the language detector, ISO 639-3. */
  readonly iso: string;
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The Spanish stemmer knows the suffix by its accent, which was folded away before. */
const stemSpanish = (word: string): string => spanish(word.replace(/([cs])ion$/, '$1ión'));

/** Words that say how a sentence is built and nothing of what it is about; folded, lower case. */
export const languages: Readonly<Record<LanguageCode, Language>> = {
  es: {
    iso: 'spa',
    stem: stemSpanish,
    stopWords: words(`
      a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada como con
      contra cual cuales cuando cuanto cuantos de del desde donde dos e el ella ellas ello ellos en entre era eran es esa esas
      ese eso esos esta estaba estan estar estas este esto estos fue fueron ha habia han has hasta hay he la las le les lo los
      mas me mi mientras mis mucho muy nada ni no nos nosotros o os otra otras otro otros para pero por porque pues que quien
      quienes se sea segun ser si sido sin sobre solo son su sus suya suyo tal tambien tan tanto te tiene tienen todo todos
      tras tu tus u un una unas uno unos y ya yo`),
  },
  en: {
    iso: 'eng',
    stem: english,
    stopWords: words(`
      a about after all also an and any are as at be because been before being between but by can did do does for from had has
      have he her his how i if in into is it its me more most my no nor not of on or other our out over she so some such than
      that the their them then there these they this those through to under up was we were what when where which while who
      whom why will with would you your`),
  },
};

const LETTERS = /\p{L}+/gu;
const SAMPLE = 2_000;

/** How many of the words are stop words of each language: decides short texts, where statistics of letters fail. */
const vote = (sample: string): LanguageCode | undefined => {
  const counts = languageCodes.map((code) => ({ code, hits: 0 }));
  for (const [word] of sample.toLowerCase().matchAll(LETTERS))
    for (const count of counts) if (languages[count.code].stopWords.has(word)) count.hits += 1;
  const [first, second] = counts.toSorted((a, b) => b.hits - a.hits);
  return first !== undefined && first.hits > (second?.hits ?? 0) ? first.code : undefined;
};

/** The language of a text, from its first 2,000 characters; null where nothing decides. */
export const detectLanguage = (text: string): LanguageCode | null => {
  const sample = text.slice(0, SAMPLE);
  const voted = vote(sample);
  if (voted !== undefined) return voted;
  const iso = franc(sample, { only: languageCodes.map((code) => languages[code].iso), minLength: 20 });
  return languageCodes.find((code) => languages[code].iso === iso) ?? null;
};
