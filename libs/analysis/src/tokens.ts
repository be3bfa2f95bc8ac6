import { createHash } from 'node:crypto';
import { fold } from './fold';
import { detectLanguage } from './languages/detect';
import { type LanguageCode, languages, type Languages } from './languages/table';

/** Letters and digits, joined by the marks that hold identifiers together. Linear: a mark needs a letter behind it. */
const RUN = /[\p{L}\p{N}]+(?:[._/\-@'’][\p{L}\p{N}]+)*/gu;
const PART = /[\p{L}\p{N}]+/gu;
/** Where a new word begins inside a name such as readTimeout. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;
const LONGEST = 64;
const MOST_QUERY_TERMS = 96;

/** Only a-z and 0-9, so that every analyser takes it as one word; whatever else there is is written by its number. */
const plain = (token: string): string => {
  const written = token.replace(/[^a-z0-9]/gu, (character) => `z${character.codePointAt(0)?.toString(16) ?? ''}z`);
  if (written.length <= LONGEST) return written;
  return written.slice(0, 40) + createHash('sha1').update(written).digest('hex').slice(0, 20);
};

const isIdentifier = (run: string): boolean => /[@_]/.test(run) || (/\p{N}/u.test(run) && /[._/\-@]/.test(run));

const wordTokens = (part: string, { stem, stopWords }: (typeof languages)[LanguageCode]): string[] => {
  if (stopWords.has(part)) return [];
  return [plain(/^[a-z]+$/.test(part) ? stem(part) : part)];
};

/** The words inside names that are written in one, such as readTimeout; nothing for other words. */
const humps = (run: string): string[] => {
  const parts = run.split(HUMP);
  return parts.length > 1 ? parts.flatMap((part) => fold(part).match(PART) ?? []) : [];
};

/**
 * What a text says, as tokens: words folded and stemmed in their language, stop words left out, identifiers such as
 * 2024/0153-B or readTimeout whole and in parts. A word and the same word without its accents give the same tokens.
 */
export const tokenize = (text: string, language: LanguageCode): string[] => {
  const analysis = languages[language];
  const tokens: string[] = [];
  for (const [found] of text.matchAll(RUN)) {
    const run = fold(found);
    const parts = run.match(PART) ?? [];
    if (isIdentifier(run)) tokens.push(plain(run));
    for (const part of [...parts, ...humps(found)]) tokens.push(...wordTokens(part, analysis));
  }
  return tokens;
};

/** A passage as it is indexed: its place, its text, and what stands above it. */
export interface IndexedPassage {
  readonly ordinal: number;
  readonly text: string;
  readonly context: string;
  readonly language: LanguageCode;
}

/** A title that is no more than this share of its passage is one, and not the passage itself. */
const SHARE_OF_TITLE = 1 / 3;

/**
 * The words that find a passage: its own and those of its context. The first one of a document answers for its name
 * and, twice, for its title (measured in docs/adr/0007-search-quality.md), so that a name finds its document and says
 * nothing about the other passages. One language is enough: a query is analysed in all of them.
 */
export const passageTerms = (
  { ordinal, text, context, language }: IndexedPassage,
  { name, title }: { readonly name: string; readonly title: string | null },
): string[] => {
  const own = tokenize(context === '' ? text : `${context}\n${text}`, language);
  if (ordinal > 0) return own;
  const heading = title !== null && title.length < text.length * SHARE_OF_TITLE ? tokenize(title, language) : [];
  return [...own, ...heading, ...heading, ...tokenize(name, language)];
};

/** The tokens of a text in every language, each once. */
const unitedTerms = (text: string, among: readonly LanguageCode[]): string =>
  [...new Set(among.flatMap((language) => tokenize(text, language)))].slice(0, MOST_QUERY_TERMS).join(' ');

const counted = (tokens: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return [...counts].slice(0, MOST_QUERY_TERMS);
};

/** The words of a text that its own language does not count as stop words, so that no other language takes them up. */
const meaningful = (text: string, { stopWords }: (typeof languages)[LanguageCode]): string =>
  [...text.matchAll(RUN)].flatMap(([run]) => (stopWords.has(fold(run)) ? [] : [run])).join(' ');

/** How often a term of the query's own language stands against one of another language. */
const OWN = 2;

/**
 * The terms of a query, in the languages of a group, united. A term that stands several times counts as often, and the
 * engines add that up: those of the query's own language twice as much as what other languages make of its words, and
 * a word that the query repeats half as often as it does (measured in docs/adr/0007-search-quality.md).
 */
export const queryTerms = (query: string, among: Languages): string => {
  const own = detectLanguage(query, among);
  if (own === null) return unitedTerms(query, among);
  const terms = counted(tokenize(query, own));
  const known = new Set(terms.map(([term]) => term));
  const words = meaningful(query, languages[own]);
  const others = among.filter((language) => language !== own).flatMap((language) => tokenize(words, language));
  return [
    ...terms.flatMap(([term, count]) => Array<string>(OWN * Math.ceil(count / 2)).fill(term)),
    ...[...new Set(others)].filter((term) => !known.has(term)).slice(0, MOST_QUERY_TERMS),
  ].join(' ');
};
