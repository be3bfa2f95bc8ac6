import { StemmerEu } from '@nlpjs/lang-eu';

const snowball = new StemmerEu();
/** Endings of cases that stay where several are joined, longest first: for whom, whose, with, to, from, in, who. */
const CASES = /(?:arentzat|entzat|arekin|ekin|aren|etan|etara|etatik|tzako|rako|eko|ren|en|ek|ei|ak|ari|an|ra|tik|a)$/;
const SHORTEST = 3;
/** The last consonant is doubled before an ending. */
const DOUBLED = /rr$/;

/**
 * The stem of a Basque word. Snowball removes one ending and Basque joins several, so the rest of them is removed as
 * well.
 */
export const stemBasque = (word: string): string => {
  const stem = snowball.stemWord(word);
  const rest = stem.replace(CASES, '');
  return (rest.length >= SHORTEST ? rest : stem).replace(DOUBLED, 'r');
};
