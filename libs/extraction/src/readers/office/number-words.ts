const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const ALPHABET = 26;

const roman = (value: number): string => {
  let [rest, written] = [value, ''];
  for (const [unit, letters] of ROMAN)
    while (rest >= unit) {
      written += letters;
      rest -= unit;
    }
  return written;
};

/** a to z, then aa, bb: as Word counts. */
const letters = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % ALPHABET)).repeat(Math.ceil(value / ALPHABET));

/** A number of a list in the format that Office names; digits for any other format. */
export const formatNumber = (value: number, format: string): string => {
  if (value < 1 || value > 3_999) return String(value);
  if (format === 'lowerRoman') return roman(value);
  if (format === 'upperRoman') return roman(value).toUpperCase();
  if (format === 'lowerLetter') return letters(value);
  if (format === 'upperLetter') return letters(value).toUpperCase();
  if (format === 'decimalZero') return String(value).padStart(2, '0');
  return String(value);
};
