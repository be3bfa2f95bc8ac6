import { languageOfCode, sectionsOf } from './format-code';
import { decimalOf } from './figure-pattern';

const DAY = 86_400_000;
/** Day 0 of the two calendars of Excel; the first one includes the nonexistent 29 February 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_466;

const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[[^[\]]*\]|A\/P|AM\/PM|y+|m+|d+|h+|s+|[\s\S]/gi;
/** Names of months and days are part of what the cell shows. */
const NAMED = /m{3,}|d{3,}/i;

const momentOf = (serial: number, in1904: boolean): Date =>
  new Date((in1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((serial * DAY) / 1000) * 1000);

/** A serial day as ISO 8601: date, date with time, or time alone. */
const isoOf = (serial: number, in1904: boolean, withDate: boolean): string => {
  const [date = '', time = ''] = momentOf(serial, in1904).toISOString().split('T');
  const clock = time.slice(0, 8);
  if (!withDate || serial < 1) return clock;
  return clock === '00:00:00' ? date : `${date} ${clock}`;
};

const nameOf = (moment: Date, language: string, part: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...part, timeZone: 'UTC' }).format(moment).replace(/\.$/, '');

const two = (value: number): string => String(value).padStart(2, '0');

const partOf = (token: string, moment: Date, language: string): string => {
  const key = token.toLowerCase();
  const year = String(moment.getUTCFullYear()).padStart(4, '0');
  if (key.startsWith('y')) return key.length > 2 ? year : year.slice(2);
  if (key.startsWith('mmm')) return nameOf(moment, language, { month: key.length === 3 ? 'short' : 'long' });
  if (key.startsWith('ddd')) return nameOf(moment, language, { weekday: key.length === 3 ? 'short' : 'long' });
  const [value, isWide] = [
    { m: moment.getUTCMonth() + 1, d: moment.getUTCDate(), h: moment.getUTCHours(), s: moment.getUTCSeconds() }[
      key.charAt(0)
    ],
    key.length > 1,
  ];
  return value === undefined ? token : isWide ? two(value) : String(value);
};

/** The parts of a date or a time by name; `m` is a minute behind an hour or before a second. */
const displayed = (code: string, moment: Date, language: string): string => {
  let written = '';
  let afterHour = false;
  for (const [token, quoted, escaped] of code.matchAll(TOKEN)) {
    if (quoted !== undefined || escaped !== undefined) written += quoted ?? escaped;
    else if (/^m{1,2}$/i.test(token) && afterHour) written += two(moment.getUTCMinutes());
    else if (/^[ymdhs]+$/i.test(token)) {
      written += partOf(token, moment, language);
      afterHour = /^h/i.test(token);
    } else if (/^A/i.test(token) && token.includes('/')) written += moment.getUTCHours() < 12 ? 'AM' : 'PM';
    else if (!/^[[_*@]/.test(token)) written += token;
  }
  return written.trim();
};

const fieldsOf = (section: string): string =>
  section
    .replace(/"[^"]*"|\\.|_.|\*./gs, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '')
    .replace(/general/gi, '');

/**
 * What a code makes of a serial day: a writer of dates, `elapsed` for hours over 24, null for a code of figures. Dates
 * are ISO 8601, because their usual forms are ambiguous; one with the name of a month or a day has that form before it.
 */
export const dateFormatOf = (code: string): ((in1904: boolean) => (value: number) => string) | 'elapsed' | null => {
  const section = sectionsOf(code)[0] ?? '';
  const fields = fieldsOf(section);
  if (!/[ymdhs]/i.test(fields)) return null;
  if (fields.includes('[')) return 'elapsed';
  const withDate = /[yd]/i.test(fields) || !/[hs]/i.test(fields);
  const named = NAMED.test(fields);
  const language = languageOfCode(section) ?? 'en';
  return (in1904) => (value) => {
    if (value < 0 || value >= LAST_DAY) return decimalOf(value);
    const iso = isoOf(value, in1904, withDate);
    return named ? `${displayed(section, momentOf(value, in1904), language)} (${iso})` : iso;
  };
};
