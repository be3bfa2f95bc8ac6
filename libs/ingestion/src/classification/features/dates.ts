import { fold } from '@acervo/analysis';
import { matchAt, type ReadValue, type ValueReader } from './scanner';

const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'enero ene january jan',
    'febrero feb february',
    'marzo mar march',
    'abril abr april apr',
    'mayo may',
    'junio jun june',
    'julio jul july',
    'agosto ago august aug',
    'septiembre setiembre sep sept set september',
    'octubre oct october',
    'noviembre nov november',
    'diciembre dic december dec',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])),
);
const ISO = /(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/y;
const NUMERIC = /(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d])/y;
const DAY_FIRST =
  /(\d{1,2}|primero|uno)(?:st|nd|rd|th|º|°|\.º|er)?(?: |-|\/)(?:day )?(?:de |of )?(\p{L}{3,10})\.?,?(?: |-|\/)(?:de |del |del año |of )?(\d{4})(?!\d)/iuy;
const MONTH_FIRST = /(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/iuy;
/** Two digits of a year below this belong to this century. */
const CENTURY = 70;

const isoDate = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = year >= 1_000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
};

const fullYear = (written: string): number => {
  const year = Number(written);
  return written.length > 2 ? year : year + (year < CENTURY ? 2_000 : 1_900);
};

/** Day first; month first only where the other order is no date. */
const numericDate = ([, first = '', , second = '', year = '']: RegExpExecArray): string | undefined =>
  isoDate(fullYear(year), Number(second), Number(first)) ?? isoDate(fullYear(year), Number(first), Number(second));

const named = (day: string, month: string, year: string): string | undefined => {
  const number = MONTHS[fold(month)];
  return number === undefined ? undefined : isoDate(Number(year), number, Number(day) || 1);
};

const NOTATIONS: readonly (readonly [RegExp, (found: RegExpExecArray) => string | undefined])[] = [
  [ISO, ([, year, , month, day]) => isoDate(Number(year), Number(month), Number(day))],
  [NUMERIC, numericDate],
  [DAY_FIRST, ([, day = '', month = '', year = '']) => named(day, month, year)],
  [MONTH_FIRST, ([, month = '', day = '', year = '']) => named(day, month, year)],
];

/** A date as `2024-03-03`: `3 de marzo de 2024`, `March 3rd, 2024`, `03/03/2024` (day first), `2024-03-03`. */
export const readDate: ValueReader = (text, at): ReadValue | undefined => {
  for (const [notation, canonical] of NOTATIONS) {
    const found = matchAt(notation, text, at);
    const value = found === undefined ? undefined : canonical(found);
    if (found !== undefined && value !== undefined) return { value, end: at + found[0].length };
  }
  return undefined;
};
