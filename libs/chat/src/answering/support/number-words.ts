const numbered = (lists: readonly string[], value: (index: number) => number): [string, number][] =>
  lists.flatMap((words, index) => words.split(' ').map((word): [string, number] => [word, value(index)]));

const UNITS = numbered(
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
    'doce twelve docena dozen',
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
  ],
  (index) => index,
);
const TENS = numbered(
  [
    'treinta thirty',
    'cuarenta forty',
    'cincuenta fifty',
    'sesenta sixty',
    'setenta seventy',
    'ochenta eighty',
    'noventa ninety',
  ],
  (index) => (index + 3) * 10,
);
const HUNDREDS = numbered(
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
  ],
  (index) => (index + 1) * 100,
);
const SMALL: ReadonlyMap<string, number> = new Map([...UNITS, ...TENS, ...HUNDREDS]);

/** What multiplies the number before it. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ['mil', 1e3],
  ['thousand', 1e3],
  ['millon', 1e6],
  ['millones', 1e6],
  ['million', 1e6],
  ['millions', 1e6],
  ['billion', 1e9],
]);
const JOINTS = new Set(['y', 'and']);
/** Words for one that are articles more often. */
export const ONES = new Set(['un', 'uno', 'una', 'one']);

const ORDINALS: ReadonlyMap<string, number> = new Map(
  numbered(
    [
      'primer primero primera primeros primeras first',
      'segundo segunda segundas second',
      'tercer tercero tercera terceros terceras third',
      'cuarto cuarta cuartas fourth',
      'quinto quinta fifth',
      'sexto sexta sixth',
      'septimo septima seventh',
      'octavo octava eighth',
      'noveno novena ninth',
      'decimo decima tenth',
    ],
    (index) => index + 1,
  ),
);

/** The place that a word such as `tercera` names; undefined for other words. */
export const ordinalOf = (word: string): number | undefined => ORDINALS.get(word);

export interface WordsNumber {
  readonly value: number;
  /** How many words it takes. */
  readonly length: number;
}

const MOST_WORDS = 12;

/** A whole number in Spanish or English words that begins at a place, such as `mil doscientos`. */
export const wordsNumberAt = (words: readonly string[], at: number): WordsNumber | undefined => {
  let [total, group, length] = [0, 0, 0];
  for (let next = 0; next < MOST_WORDS; next += 1) {
    const word = words[at + next] ?? '';
    const value = SMALL.get(word);
    const scale = SCALES.get(word);
    const isPercent = word === 'ciento' && words[at + next - 1] === 'por';
    if (value !== undefined && !isPercent) group += value;
    else if (word === 'hundred') group = Math.max(1, group) * 100;
    else if (scale !== undefined) [total, group] = [total + Math.max(1, group) * scale, 0];
    else if (length === 0 || !JOINTS.has(word)) break;
    if (!JOINTS.has(word)) length = next + 1;
    else if (!joinsParts(words, at + next)) break;
  }
  return length === 0 ? undefined : { value: total + group, length };
};

/** Whether `y` or `and` stands within one number: `treinta y cinco`, `two hundred and five`, not `tres y cuatro`. */
const joinsParts = (words: readonly string[], at: number): boolean => {
  const [before = 0, after = 0] = [SMALL.get(words[at - 1] ?? ''), SMALL.get(words[at + 1] ?? '')];
  if (after === 0) return false;
  if (words[at] === 'y') return before >= 30 && before < 100 && after < 10;
  return words[at - 1] === 'hundred' || words[at - 1] === 'thousand';
};
