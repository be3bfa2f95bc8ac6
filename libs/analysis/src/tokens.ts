import { createHash } from 'node:crypto';
import { fold, isAscii } from './fold';
import { detectLanguage } from './languages/detect';
import { type Language, type LanguageCode, knownLanguages, languages, type Languages } from './languages/table';
import { remembered } from './remembered';

/**
 * Letters and digits with what is not seen between them, joined by the marks of identifiers. Linear: a mark needs a
 * letter or a digit after it.
 */
const RUN =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*(?:[._/\-@'’·‧][\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]*)*/gu;
/** The same where every character is ASCII. */
const ASCII_RUN = /[a-z0-9]+(?:[._/\-@'][a-z0-9]+)*/gi;
const PART = /[\p{L}\p{N}]+/gu;
/** Where a new word begins inside a name such as readTimeout. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;
/** Names whose marks are part of them: C++, C#, .NET. */
const MARKED = /(?<![\p{L}\p{N}])(?:\p{L}{1,3}(?:\+\+|#)|(?<![\p{P}\p{S}])\.\p{L}{2,12})(?![\p{L}\p{N}\p{S}#.])/gu;
/** What stands in each of them. */
const MAY_BE_MARKED = /\+\+|#|\.\p{L}/u;
const LONGEST = 64;
const MOST_QUERY_TERMS = 96;

/** Only a-z and 0-9, so that every analyser takes it as one word; other characters are written as their code point. */
const withoutMarks = (token: string): string => {
  const written = token.replace(/[^a-z0-9]/gu, (character) => `z${character.codePointAt(0)?.toString(16) ?? ''}z`);
  if (written.length <= LONGEST) return written;
  return written.slice(0, 40) + createHash('sha1').update(written).digest('hex').slice(0, 20);
};

const isIdentifier = (run: string): boolean => /[@_]/.test(run) || (/\p{N}/u.test(run) && /[._/\-@]/.test(run));

const wordTokens = (part: string, { stem, stopWords, parts }: Language): string[] => {
  if (stopWords.has(part)) return [];
  if (!/^[a-z]+$/.test(part)) return [withoutMarks(part)];
  return [part, ...(parts?.(part) ?? [])].map((word) => withoutMarks(stem(word)));
};

/** The l·l of Catalan, which is also written with another dot, and by some programs as one letter. */
const MIDDLE_DOT = /l[·‧]l/g;
/** With a full stop it is Catalan alone: in other languages the words on both sides are two. */
const ANY_DOT = /l[·‧.]l/g;

/** A word with a double l that is written with a dot, in one piece; empty for other words. */
const joined = (run: string, language: LanguageCode): string[] => {
  const whole = run.replace(language === 'ca' ? ANY_DOT : MIDDLE_DOT, 'll');
  return whole === run ? [] : (whole.match(PART) ?? []);
};

/** The words inside compound names such as readTimeout; empty for other words. */
const humps = (run: string): string[] => {
  const parts = run.split(HUMP);
  return parts.length > 1 ? parts.flatMap((part) => fold(part).match(PART) ?? []) : [];
};

/** The tokens of a run of letters and digits in a language. */
const runTokens = (found: string, language: LanguageCode): readonly string[] => {
  const run = fold(found);
  const parts = run.match(PART) ?? [];
  return [
    ...(isIdentifier(run) ? [withoutMarks(run)] : []),
    ...[...parts, ...humps(found), ...joined(run, language)].flatMap((part) => wordTokens(part, languages[language])),
  ];
};

const tokensOfRun = Object.fromEntries(
  knownLanguages.map((language) => [language, remembered((found) => runTokens(found, language))]),
) as Readonly<Record<LanguageCode, (found: string) => readonly string[]>>;

/** The runs of letters and digits of a text, with the marks that join them. */
const runsOf = (text: string): readonly string[] => text.match(isAscii(text) ? ASCII_RUN : RUN) ?? [];

/**
 * The tokens of a text: words folded and stemmed in their language, without stop words. Identifiers such as 2024/0153-B
 * or readTimeout appear whole and in parts, names such as C++ also with their marks. A word gives the same tokens with
 * and without its accents.
 */
export const tokenize = (text: string, language: LanguageCode): string[] => {
  const tokens = runsOf(text).flatMap(tokensOfRun[language]);
  if (MAY_BE_MARKED.test(text)) for (const [marked] of text.matchAll(MARKED)) tokens.push(withoutMarks(fold(marked)));
  return tokens;
};

/** A passage as it is indexed: its place, its text and its context. */
export interface IndexedPassage {
  readonly ordinal: number;
  readonly text: string;
  readonly context: string;
  readonly language: LanguageCode;
}

/** A title counts as one up to this share of its passage; a longer one is the passage itself. */
const SHARE_OF_TITLE = 1 / 3;

/**
 * The words that find a passage: its own and those of its context. The first passage of a document also gets the name
 * and, twice, the title (measured in docs/adr/0007-search-quality.md). A name then finds its document without affecting
 * other passages. One language is enough: a query is analysed in all of them.
 */
export const passageTerms = (
  { ordinal, text, context, language }: IndexedPassage,
  { name, title }: { readonly name: string; readonly title: string | null },
): string[] => {
  const ownTokens = tokenize(context === '' ? text : `${context}\n${text}`, language);
  if (ordinal > 0) return ownTokens;
  const heading = title !== null && title.length < text.length * SHARE_OF_TITLE ? tokenize(title, language) : [];
  return [...ownTokens, ...heading, ...heading, ...tokenize(name, language)];
};

/** The first distinct tokens. */
const distinct = (tokens: readonly string[]): string[] => [...new Set(tokens)].slice(0, MOST_QUERY_TERMS);

const counted = (tokens: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts].slice(0, MOST_QUERY_TERMS);
};

/** The words of a text without the stop words of its own language, so that no other language indexes them. */
const meaningful = (text: string, { stopWords }: (typeof languages)[LanguageCode]): string =>
  [...text.matchAll(RUN)].flatMap(([run]) => (stopWords.has(fold(run)) ? [] : [run])).join(' ');

/** Weight of a term of the query's own language, relative to a term of another language. */
const OWN_WEIGHT = 2;

/** The terms of a query in its own language, repeated by their weight, and those of the other languages. */
const weightedTerms = (
  query: string,
  language: LanguageCode,
  ownTokens: readonly string[],
  among: Languages,
): readonly string[] => {
  const terms = counted(ownTokens);
  const seen = new Set(terms.map(([term]) => term));
  const words = meaningful(query, languages[language]);
  const others = among.filter((other) => other !== language).flatMap((other) => tokenize(words, other));
  return [
    ...terms.flatMap(([term, count]) => Array<string>(OWN_WEIGHT * Math.ceil(count / 2)).fill(term)),
    ...[...new Set(others)].filter((term) => !seen.has(term)).slice(0, MOST_QUERY_TERMS),
  ];
};

const identifiersOf = (query: string): string[] => {
  const runs = [...query.matchAll(RUN)].map(([run]) => fold(run));
  return [...new Set(runs.filter(isIdentifier).map(withoutMarks))];
};

/** What a query asks for, in its own language alone. */
export interface QueryWords {
  /** Null where none is detected; the words are then those of every language. */
  readonly language: LanguageCode | null;
  /** Its distinct terms without stop words, as passages are indexed by them. */
  readonly terms: readonly string[];
  /** Its identifiers, such as 2024/0153-B: terms that are indexed whole. */
  readonly identifiers: readonly string[];
}

export interface QueryAnalysis {
  /**
   * The terms in all languages of a group, separated by spaces; empty for a query without any. The engines add up
   * repeated terms. A term of the query's own language counts twice as much as one from other languages. A word that
   * the query repeats counts half as often (measured in docs/adr/0007-search-quality.md).
   */
  readonly terms: string;
  /** The distinct words, without those that only another language would make of the query. */
  readonly words: QueryWords;
}

/** The terms and the words of a query, whose language is detected once. */
export const analyseQuery = (query: string, among: Languages): QueryAnalysis => {
  const language = detectLanguage(query, among);
  const tokens = (language === null ? among : [language]).flatMap((each) => tokenize(query, each));
  const words = { language, terms: distinct(tokens), identifiers: identifiersOf(query) };
  const terms = language === null ? words.terms : weightedTerms(query, language, tokens, among);
  return { terms: terms.join(' '), words };
};

/** The terms of a query in all languages of a group, as the lexical index ranks by them. */
export const queryTerms = (query: string, among: Languages): string => analyseQuery(query, among).terms;
