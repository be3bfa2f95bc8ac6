import { createHash } from 'node:crypto';
import { type LanguageCode, languages } from './languages';

/** Letters and digits, joined by the marks that hold identifiers together. Linear: a mark needs a letter behind it. */
const RUN = /[\p{L}\p{N}]+(?:[._/\-@'’][\p{L}\p{N}]+)*/gu;
const PART = /[\p{L}\p{N}]+/gu;
const MARKS = /\p{M}+/gu;
const LONGEST = 64;
const MOST_QUERY_TERMS = 64;

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

/** The terms of a query in every language of a group, united. */
export const queryTerms = (query: string, among: readonly LanguageCode[]): string =>
  [...new Set(among.flatMap((language) => tokenize(query, language)))].slice(0, MOST_QUERY_TERMS).join(' ');
