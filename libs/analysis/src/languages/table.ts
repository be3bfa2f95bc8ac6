import { StemmerCa } from '@nlpjs/lang-ca';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stopwords as danishStops } from '@orama/stopwords/danish';
import { stopwords as dutchStops } from '@orama/stopwords/dutch';
import { stopwords as finnishStops } from '@orama/stopwords/finnish';
import { stopwords as hungarianStops } from '@orama/stopwords/hungarian';
import { stopwords as norwegianStops } from '@orama/stopwords/norwegian';
import { stopwords as romanianStops } from '@orama/stopwords/romanian';
import { stopwords as swedishStops } from '@orama/stopwords/swedish';
import { fold } from '../fold';
import { stemBasque } from './basque';
import { germanParts } from './german';
import { stopWords } from './stop-words';

export interface Language {
  /** Code of the language detector, ISO 639-3. */
  readonly iso: string;
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
  /** The words inside a compound, and other spellings of the word; empty for most words. */
  readonly parts?: (word: string) => readonly string[];
}

/**
 * Snowball leaves short words alone whose ending follows the second vowel, such as `actas` and `atti`: their endings are
 * removed here.
 */
const withoutEnding =
  (stem: (word: string) => string, ending: RegExp) =>
  (word: string): string => {
    const stemmed = stem(word);
    return stemmed === word && word.length > SHORTEST ? word.replace(ending, '') : stemmed;
  };
const SHORTEST = 3;
const PLURAL = /(?<=[aeo])s$/;

const shortSpanish = withoutEnding(spanish, PLURAL);
/** The stemmer knows a suffix by its accent, which folding has removed; `z` and `c` are one sound before an ending. */
const stemSpanish = (word: string): string => shortSpanish(word.replace(/([cs])ion$/, '$1ión')).replace(/z$/, 'c');

const catalan = new StemmerCa();
/** The plural of a stressed vowel ends in `-ns`. */
const stemCatalan = (word: string): string =>
  catalan.stemWord(word.replace(/([aeiou])ns$/, '$1').replace(/([cs])io$/, '$1ió'));

/** The plural of `-al` and its like, which Portuguese and Galician share. */
const withoutPluralOfL = (word: string): string => word.replace(/(?<=\w{3}[aeou])is$/, 'l');

const shortPortuguese = withoutEnding(portuguese, PLURAL);
/** The plurals in `-ões` and `-ães` are those of `-ão`, and the stemmer knows it by the accents that folding removed. */
const stemPortuguese = (word: string): string =>
  shortPortuguese(
    withoutPluralOfL(word)
      .replace(/(?:oes|(?<!^m)aes)$/, 'ao')
      .replace(/cao$/, 'ção')
      .replace(/sao$/, 'são'),
  );

/** No stemmer exists for Galician. Its words end like those of Spanish, except for two plurals. */
const stemGalician = (word: string): string => stemSpanish(withoutPluralOfL(word).replace(/ions$/, 'iones'));

const shortItalian = withoutEnding(italian, /[aeio]$/);

/** The plural of `-ail` is `-aux`, of which the stemmer makes `-al`. */
const stemFrench = (word: string): string => french(word.replace(/ails?$/, 'al'));

const folded = (list: readonly string[]): ReadonlySet<string> => new Set(list.map(fold));

/** Every language that detection distinguishes, by its code of ISO 639-1. */
export const languages = {
  es: { iso: 'spa', stem: stemSpanish, stopWords: stopWords.es },
  en: { iso: 'eng', stem: english, stopWords: stopWords.en },
  de: { iso: 'deu', stem: german, stopWords: stopWords.de, parts: germanParts },
  fr: { iso: 'fra', stem: stemFrench, stopWords: stopWords.fr },
  pt: { iso: 'por', stem: stemPortuguese, stopWords: stopWords.pt },
  it: { iso: 'ita', stem: shortItalian, stopWords: stopWords.it },
  ca: { iso: 'cat', stem: stemCatalan, stopWords: stopWords.ca },
  gl: { iso: 'glg', stem: stemGalician, stopWords: stopWords.gl },
  eu: { iso: 'eus', stem: stemBasque, stopWords: stopWords.eu },
  da: { iso: 'dan', stem: danish, stopWords: folded(danishStops) },
  fi: { iso: 'fin', stem: finnish, stopWords: folded(finnishStops) },
  hu: { iso: 'hun', stem: hungarian, stopWords: folded(hungarianStops) },
  nb: { iso: 'nob', stem: norwegian, stopWords: folded(norwegianStops) },
  nl: { iso: 'nld', stem: dutch, stopWords: folded(dutchStops) },
  ro: { iso: 'ron', stem: romanian, stopWords: folded(romanianStops) },
  sv: { iso: 'swe', stem: swedish, stopWords: folded(swedishStops) },
} as const satisfies Record<string, Language>;

export type LanguageCode = keyof typeof languages;

export const knownLanguages = Object.keys(languages) as readonly LanguageCode[];

/** The languages that detection distinguishes. The first one is the default for undecided text. */
export type Languages = readonly [LanguageCode, ...LanguageCode[]];

/** The language with this code; undefined for an unknown one. */
export const knownLanguage = (code: string | null): LanguageCode | undefined =>
  knownLanguages.find((candidate) => candidate === code);

/** The language with this code; the first default where the code is unknown. */
export const languageNamed = (code: string): LanguageCode => knownLanguage(code) ?? defaultLanguages[0];

/** The default without configuration. */
export const defaultLanguages: Languages = ['es', 'en', 'de', 'fr', 'pt', 'it', 'ca', 'eu', 'gl'];

/**
 * A list such as `es,en,ca`, from the configuration.
 * @throws Error that lists the known languages
 */
export const languagesFrom = (list: string): Languages => {
  const named = [...new Set(list.split(',').map((code) => code.trim().toLowerCase()))].filter((code) => code !== '');
  const [first, ...others] = named.flatMap((code) => knownLanguages.filter((candidate) => candidate === code));
  if (first === undefined || others.length + 1 !== named.length)
    throw new Error(`Languages are given as a list of codes; there are ${knownLanguages.join(', ')}.`);
  return [first, ...others];
};
