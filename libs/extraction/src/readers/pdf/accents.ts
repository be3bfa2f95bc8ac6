/** Accents drawn as separate characters, and their combining marks. */
const MARKS: ReadonlyMap<number, string> = new Map([
  [0x60, '\u0300'],
  [0xb4, '\u0301'],
  [0x2c6, '\u0302'],
  [0x5e, '\u0302'],
  [0x2dc, '\u0303'],
  [0x7e, '\u0303'],
  [0xaf, '\u0304'],
  [0x2d8, '\u0306'],
  [0x2d9, '\u0307'],
  [0xa8, '\u0308'],
  [0x2da, '\u030a'],
  [0x2dd, '\u030b'],
  [0x2c7, '\u030c'],
  [0xb8, '\u0327'],
]);
const DOTLESS: ReadonlyMap<string, string> = new Map([
  ['\u0131', 'i'],
  ['\u0237', 'j'],
]);

/** The letter combined with an accent drawn over it; null if the pair is not a letter. */
export const accented = (accent: number, letter: string): string | null => {
  const mark = MARKS.get(accent);
  if (mark === undefined) return null;
  const composed = `${DOTLESS.get(letter) ?? letter}${mark}`.normalize('NFC');
  return composed.length === 1 ? composed : null;
};
