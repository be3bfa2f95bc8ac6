/** Ranges of built-in Excel formats, without a format code, that are dates and times. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
const isBuiltInDate = (id: number): boolean => BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last);
const isBuiltInPercent = (id: number): boolean => id === 9 || id === 10;

const DAY = 86_400_000;
/** Day 0 of the two calendars of Excel; the first one includes the nonexistent 29 February 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_466;

/** Kinds of number formats. */
export type NumberKind = 'number' | 'date' | 'percent';

/** The kind of a format by its number and, if present, its code. */
export const kindOfFormat = (id: number, code: string | undefined): NumberKind => {
  if (code === undefined) return isBuiltInDate(id) ? 'date' : isBuiltInPercent(id) ? 'percent' : 'number';
  // Quoted words, escaped letters and colours in brackets are not fields; elapsed hours in brackets are.
  const bare = code
    .slice(0, 200)
    .replace(/"[^"]*"|\\.|_./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '')
    .split(';', 1)[0];
  if (bare === undefined || /general/i.test(bare)) return 'number';
  if (/[ymdhs]/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'number';
};

/** Excel keeps 15 digits; the rest of a double is noise. */
const decimal = (value: number): string => String(Number(value.toPrecision(15)));

/** A serial day as ISO 8601: date, date with time, or time alone. */
const isoOf = (serial: number, in1904: boolean): string => {
  const epoch = in1904 ? EPOCH_1904 : EPOCH_1900;
  const [date = '', time = ''] = new Date(epoch + Math.round((serial * DAY) / 1000) * 1000).toISOString().split('T');
  const clock = time.slice(0, 8);
  if (serial < 1) return clock;
  return clock === '00:00:00' ? date : `${date} ${clock}`;
};

/** A number of a cell in readable form. Other values stay unchanged. */
export const writeNumber = (raw: string, kind: NumberKind, in1904: boolean): string => {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (kind === 'date' && value >= 0 && value < LAST_DAY) return isoOf(value, in1904);
  return kind === 'percent' ? `${decimal(value * 100)}%` : decimal(value);
};

/** The column of a reference such as `AB12`, from 0; undefined for an invalid reference. */
export const columnOf = (reference: string | undefined): number | undefined => {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column === 0 ? undefined : column - 1;
};
