import { StemmerEu } from '@nlpjs/lang-eu';

const snowball = new StemmerEu();
/** Endings of cases: for whom, with whom, whose, in, to, from, of which place, to whom, who, many, any. */
const CASES =
  /(?:a?rentzako|a?rentzat|entzako|entzat|a?rekin|ekin|a?ren|etarako|etako|etan|etara|etatik|eta|rako|tako|eko|ko|tara|era|ra|tik|ari|ean|n|en|ek|ei|ak|ok|k|a|ik|rik)$/;
const SHORTEST = 3;
/** Basque joins several endings. */
const MOST_JOINED = 2;
const LAST_VOWEL = /(?<=..)[ae]$/;
/** The last consonant is doubled before an ending. */
const DOUBLED = /rr$/;

const withoutCases = (word: string): string => {
  let stem = word;
  for (let joined = 0; joined < MOST_JOINED; joined += 1) {
    const rest = stem.replace(CASES, '');
    if (rest.length >= SHORTEST) stem = rest;
  }
  return stem.replace(LAST_VOWEL, '');
};

/**
 * The stem of a Basque word. Snowball removes endings by the length of the word, so that the cases of one word get
 * different stems: the cases are removed before it and what it leaves of them after it.
 */
export const stemBasque = (word: string): string =>
  withoutCases(snowball.stemWord(withoutCases(word))).replace(DOUBLED, 'r');
