import { createHash } from 'node:crypto';
import { detectLanguage, type LanguageCode, languages } from './languages';

/** Letters and digits, joined by the marks that hold identifiers together. Linear: a mark needs a letter behind it. */
const RUN = /[\p{L}\p{N}]+(?:[._/\-@'’][\p{L}\p{N}]+)*/gu;
const PART = /[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;
const LONGEST = 64;
const MOST_QUERY_TERMS = 96;

/** Lower case without accents: the spelling of somebody who is in a hurry. */
export const fold = (text: string): string => text.normalize('NFKD').replace(MARKS, '').toLowerCase();

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

/**
 * What a text says, as tokens: words folded and stemmed in their language, stop words left out, identifiers such as
 * 2024/0153-B whole and in parts. A word and the same word without its accents give the same tokens.
 */
export const tokenize = (text: string, language: LanguageCode): string[] => {
  const analysis = languages[language];
  const tokens: string[] = [];
  for (const [found] of text.matchAll(RUN)) {
    const run = fold(found);
    const parts = run.match(PART) ?? [];
    if (isIdentifier(run)) tokens.push(plain(run));
    for (const part of parts) tokens.push(...wordTokens(part, analysis));
  }
  return tokens;
};

/** The tokens of a chunk as one text that every plain analyser splits back into them. */
export const indexTerms = (text: string, language: LanguageCode): string => tokenize(text, language).join(' ');

/** The tokens of a text in every language, each once: for names and titles, which are searched for in any of them. */
export const unitedTerms = (text: string, among: readonly LanguageCode[]): string =>
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
export const queryTerms = (query: string, among: readonly LanguageCode[]): string => {
  const own = detectLanguage(query);
  if (own === null || !among.includes(own)) return unitedTerms(query, among);
  const terms = counted(tokenize(query, own));
  const known = new Set(terms.map(([term]) => term));
  const words = meaningful(query, languages[own]);
  const others = among.filter((language) => language !== own).flatMap((language) => tokenize(words, language));
  return [
    ...terms.flatMap(([term, count]) => Array<string>(OWN * Math.ceil(count / 2)).fill(term)),
    ...[...new Set(others)].filter((term) => !known.has(term)).slice(0, MOST_QUERY_TERMS),
  ].join(' ');
};
