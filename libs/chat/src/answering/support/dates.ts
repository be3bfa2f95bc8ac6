import type { Token } from './tokens';

/** A date, as far as a text states it. */
export interface PartialDate {
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
}

const indexed = (lists: readonly string[]): ReadonlyMap<string, number> =>
  new Map(lists.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)));

const MONTHS = indexed([
  'enero january',
  'febrero february',
  'marzo march',
  'abril april',
  'mayo may',
  'junio june',
  'julio july',
  'agosto august',
  'septiembre setiembre september',
  'octubre october',
  'noviembre november',
  'diciembre december',
]);
const SHORT_MONTHS = indexed([
  'ene jan',
  'feb',
  'mar',
  'abr apr',
  'may',
  'jun',
  'jul',
  'ago aug',
  'sep sept set',
  'oct',
  'nov',
  'dic dec',
]);
/** English words that are months only beside a number or in the middle of a sentence with a capital. */
const AMBIGUOUS = new Set(['may', 'march']);
const WEEKDAYS = indexed([
  'lunes monday mondays',
  'martes tuesday tuesdays',
  'miercoles wednesday wednesdays',
  'jueves thursday thursdays',
  'viernes friday fridays',
  'sabado sabados saturday saturdays',
  'domingo domingos sunday sundays',
]);

/** Whether a word names a month or a day of the week. */
export const isCalendarWord = (word: string): boolean => MONTHS.has(word) || WEEKDAYS.has(word);

/** 1 for Monday; undefined for other words. */
export const weekdayOf = (word: string): number | undefined => WEEKDAYS.get(word);

const FOUR_DIGITS = /^[12]\d{3}$/;
const YEAR = /^(?:19|20)\d{2}$/;
/** A year that stands alone, such as `2023`. */
export const isYear = (text: string): boolean => YEAR.test(text);

const DAY = /^(\d{1,2})(?:\.?[ºª°]|st|nd|rd|th|er|ro)?$/i;
const dayOf = (token: Token | undefined): number | undefined => {
  if (token === undefined) return undefined;
  if (token.folded === 'primero' || token.folded === 'first') return 1;
  const day = Number(DAY.exec(token.text)?.[1] ?? Number.NaN);
  return day >= 1 && day <= 31 ? day : undefined;
};

/** Two digits of a year below this belong to this century. */
const CENTURY = 70;
const fullYear = (written: string): number =>
  written.length > 2 ? Number(written) : Number(written) + (Number(written) < CENTURY ? 2_000 : 1_900);

const NUMERIC = /^(\d{1,4})([-/.])(\d{1,2})(?:\2(\d{2}|\d{4}))?$/;
const isDayAndMonth = (day: number, month: number): boolean => day >= 1 && day <= 31 && month >= 1 && month <= 12;

/** What a notation such as `14/02/2023` or `2023-02-14` can mean, day first. Empty for text that is no date. */
export const numericDates = (text: string): readonly PartialDate[] => {
  const found = NUMERIC.exec(text);
  if (found === null) return [];
  const [, first = '', mark = '', second = '', third] = found;
  const [a, b] = [Number(first), Number(second)];
  if (first.length === 4) {
    const day = Number(third ?? Number.NaN);
    return isDayAndMonth(day, b) ? [{ year: a, month: b, day }] : [];
  }
  if (first.length > 2 || (third === undefined && mark !== '/')) return [];
  const year = third === undefined ? null : fullYear(third);
  const dayFirst = isDayAndMonth(a, b) ? [{ year, month: b, day: a }] : [];
  return isDayAndMonth(b, a) && a !== b ? [...dayFirst, { year, month: a, day: b }] : dayFirst;
};

const LINKS = new Set(['de', 'del', 'of', 'the', 'año', 'ano', 'year', ',', 'day']);
const LISTS = new Set(['y', 'e', 'and', 'al', 'a', 'to', 'o', 'or', '&', '-', '–', ',', 'hasta', 'until']);

const ARTICLES = new Set(['el', 'the']);

const monthAt = (tokens: readonly Token[], at: number): number | undefined => {
  const word = tokens[at];
  if (word === undefined || word.kind !== 'word') return undefined;
  const isBeside = [-1, 1, 2].some((step) => {
    const { text = '', folded = '' } = tokens[at + step] ?? {};
    return dayOf(tokens[at + step]) !== undefined || FOUR_DIGITS.test(text) || (step === -1 && folded === 'of');
  });
  const month = MONTHS.get(word.folded);
  if (month === undefined) return isBeside ? SHORT_MONTHS.get(word.folded) : undefined;
  if (!AMBIGUOUS.has(word.folded)) return month;
  return isBeside || (at > 0 && /^\p{Lu}/u.test(word.text)) ? month : undefined;
};

const MOST_LINKS = 3;

/** The place behind words such as `de` and `of`; a step of -1 looks backwards. */
const behindLinks = (tokens: readonly Token[], from: number, step: 1 | -1): number => {
  let at = from;
  for (let count = 0; count < MOST_LINKS && LINKS.has(tokens[at]?.folded ?? ''); count += 1) at += step;
  return at;
};

/** Dates that a text states around one month. */
export interface FoundDates {
  readonly dates: readonly PartialDate[];
  readonly first: number;
  readonly end: number;
}

/** Days before a month: `3`, `3 y 10`, `del 3 al 7`. Returns the place of the first one. */
const daysBefore = (tokens: readonly Token[], at: number): { days: number[]; first: number } => {
  const days: number[] = [];
  let first = at + 1;
  for (let place = at; place >= 0; place -= 1) {
    const day = dayOf(tokens[place]);
    if (day === undefined) break;
    days.unshift(day);
    first = place;
    const link = ARTICLES.has(tokens[place - 1]?.folded ?? '') ? place - 2 : place - 1;
    if (!LISTS.has(tokens[link]?.folded ?? '')) break;
    place = link;
  }
  return { days, first };
};

/** The dates around the month at a place: `3 y 10 de marzo de 2024`, `March 3rd, 2024`, `marzo de 2024`. */
export const datesAt = (tokens: readonly Token[], at: number): FoundDates | undefined => {
  const month = monthAt(tokens, at);
  if (month === undefined) return undefined;
  const before = behindLinks(tokens, at - 1, -1);
  let { days, first } = daysBefore(tokens, before);
  let end = at + 1;
  if (days.length === 0) {
    first = at;
    const day = dayOf(tokens[end]);
    if (day !== undefined) [days, end] = [[day], end + 1];
  }
  const place = behindLinks(tokens, end, 1);
  const written = tokens[place]?.text ?? '';
  const year = FOUR_DIGITS.test(written) ? Number(written) : null;
  if (year !== null) end = place + 1;
  const dates = days.length === 0 ? [{ year, month, day: null }] : days.map((day) => ({ year, month, day }));
  return { dates, first, end };
};
