import { fold } from '@acervo/analysis';
import { matchAt, type ReadValue } from './scanner';

const UNITS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'cero zero',
    'un uno una one',
    'dos two',
    'tres three',
    'cuatro four',
    'cinco five',
    'seis six',
    'siete seven',
    'ocho eight',
    'nueve nine',
    'diez ten',
    'once eleven',
    'doce twelve',
    'trece thirteen',
    'catorce fourteen',
    'quince fifteen',
    'dieciseis sixteen',
    'diecisiete seventeen',
    'dieciocho eighteen',
    'diecinueve nineteen',
    'veinte twenty',
    'veintiun veintiuno veintiuna',
    'veintidos',
    'veintitres',
    'veinticuatro',
    'veinticinco',
    'veintiseis',
    'veintisiete',
    'veintiocho',
    'veintinueve',
  ].flatMap((words, value) => words.split(' ').map((word) => [word, value])),
);
const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'treinta thirty',
    'cuarenta forty',
    'cincuenta fifty',
    'sesenta sixty',
    'setenta seventy',
    'ochenta eighty',
    'noventa ninety',
  ].flatMap((words, index) => words.split(' ').map((word) => [word, (index + 3) * 10])),
);
const HUNDREDS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'cien ciento',
    'doscientos doscientas',
    'trescientos trescientas',
    'cuatrocientos cuatrocientas',
    'quinientos quinientas',
    'seiscientos seiscientas',
    'setecientos setecientas',
    'ochocientos ochocientas',
    'novecientos novecientas',
  ].flatMap((words, index) => words.split(' ').map((word) => [word, (index + 1) * 100])),
);
const SCALES: Readonly<Record<string, number>> = {
  mil: 1_000,
  thousand: 1_000,
  millon: 1e6,
  millones: 1e6,
  million: 1e6,
};
const JOINED = new Set(['y', 'and']);
const MOST_WORDS = 14;
const WORD = /\p{L}+/uy;
const GAP = /[ \u00a0-]/y;

const small = (word: string): number | undefined =>
  [UNITS, TENS, HUNDREDS].find((table) => Object.hasOwn(table, word))?.[word];

/** A whole number in Spanish or English words, such as `mil doscientos`. */
export const wordsNumber = (text: string, at: number): ReadValue | undefined => {
  let [total, group, end, place] = [0, 0, -1, at];
  for (let count = 0; count < MOST_WORDS; count += 1) {
    const found = matchAt(WORD, text, place)?.[0];
    if (found === undefined) break;
    const word = fold(found);
    const value = small(word);
    if (value !== undefined) group += value;
    else if (word === 'hundred') group = Math.max(1, group) * 100;
    else if (Object.hasOwn(SCALES, word)) [total, group] = [total + Math.max(1, group) * (SCALES[word] ?? 1), 0];
    else if (end < 0 || !JOINED.has(word)) break;
    place += found.length;
    if (!JOINED.has(word)) end = place;
    if (matchAt(GAP, text, place) === undefined) break;
    place += 1;
  }
  return end < 0 ? undefined : { value: String(total + group), end };
};
