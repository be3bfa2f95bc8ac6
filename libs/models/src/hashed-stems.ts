import { createHash } from 'node:crypto';
import { fold } from '@acervo/analysis';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as spanish } from '@orama/stemmers/spanish';

interface HashedLanguage {
  readonly stem: (word: string) => string;
  readonly stopWords: ReadonlySet<string>;
}

const listed = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Stems and stop words of revision 1 of the hashing embedder. Those of the analysis improve; stored vectors stay
 * comparable only while these never change. A change here needs another revision.
 */
const LANGUAGES: readonly HashedLanguage[] = [
  {
    stem: (word) => spanish(word.replace(/([cs])ion$/, '$1ión')),
    stopWords: listed(`
      a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada como con
      contra cual cuales cuando cuanto cuantos de del desde donde dos e el ella ellas ello ellos en entre era eran es esa esas
      ese eso esos esta estaba estan estar estas este esto estos fue fueron ha habia han has hasta hay he la las le les lo los
      mas me mi mientras mis mucho muy nada ni no nos nosotros o os otra otras otro otros para pero por porque pues que quien
      quienes se sea segun ser si sido sin sobre solo son su sus suya suyo tal tambien tan tanto te tiene tienen todo todos
      tras tu tus u un una unas uno unos y ya yo`),
  },
  {
    stem: english,
    stopWords: listed(`
      a about after all also an and any are as at be because been before being between but by can did do does for from had has
      have he her his how i if in into is it its me more most my no nor not of on or other our out over she so some such than
      that the their them then there these they this those through to under up was we were what when where which while who
      whom why will with would you your`),
  },
];

/** Letters and digits with what is not seen between them, joined by the marks of identifiers. */
const RUN =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*(?:[._/\-@'’·‧][\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*)*/gu;
const PART = /[\p{L}\p{N}]+/gu;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;
const MIDDLE_DOT = /l[·‧]l/g;
const LONGEST = 64;

const withoutMarks = (token: string): string => {
  const written = token.replace(/[^a-z0-9]/gu, (character) => `z${character.codePointAt(0)?.toString(16) ?? ''}z`);
  if (written.length <= LONGEST) return written;
  return written.slice(0, 40) + createHash('sha1').update(written).digest('hex').slice(0, 20);
};

const partsOf = (text: string): readonly string[] => text.match(PART) ?? [];

const isIdentifier = (run: string): boolean => /[@_]/.test(run) || (/\p{N}/u.test(run) && /[._/\-@]/.test(run));

/** What is hashed of one run: the identifier in one piece, and words. */
interface Run {
  readonly identifier: readonly string[];
  readonly words: readonly string[];
}

/** The words of a run are its parts, those of a name such as readTimeout, and a Catalan l·l in one piece. */
const runOf = (found: string): Run => {
  const run = fold(found);
  const humps = found.split(HUMP);
  const whole = run.replace(MIDDLE_DOT, 'll');
  const named = humps.length > 1 ? humps.flatMap((hump) => partsOf(fold(hump))) : [];
  const joined = whole === run ? [] : partsOf(whole);
  return { identifier: isIdentifier(run) ? [withoutMarks(run)] : [], words: [...partsOf(run), ...named, ...joined] };
};

const stemsOf = ({ identifier, words }: Run, { stem, stopWords }: HashedLanguage): string[] => [
  ...identifier,
  ...words
    .filter((word) => !stopWords.has(word))
    .map((word) => withoutMarks(/^[a-z]+$/.test(word) ? stem(word) : word)),
];

/** The distinct stems of a text in Spanish and in English, and its identifiers, as revision 1 hashes them. */
export const hashedStems = (text: string): ReadonlySet<string> => {
  const runs = [...text.matchAll(RUN)].map(([found]) => runOf(found));
  return new Set(LANGUAGES.flatMap((language) => runs.flatMap((run) => stemsOf(run, language))));
};
