import { datePartsOf, partsOfSecond, writeDate } from './date-parts';
import { decimalOf } from './figure-pattern';
import { languageOfCode, sectionsOf } from './format-code';
import { isoOf, LAST_DAY, momentOf } from './serial-day';

const fieldsOf = (section: string): string =>
  section
    .replace(/"[^"]*"|\\.|_.|\*./gs, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, '')
    .replace(/general/gi, '');

const LENGTH_OF_DATE = 10;

/** What a cell shows, and the date in ISO 8601 behind it unless it is that date: usual forms are ambiguous. */
const withIso = (shown: string, iso: string): string => {
  const spaced = shown.replace('T', ' ');
  return spaced.length >= LENGTH_OF_DATE && iso.startsWith(spaced) ? spaced : `${shown} (${iso})`;
};

/**
 * What a code makes of a serial day: a writer of dates and times as they are shown, `elapsed` for hours over 24, null
 * for a code of figures.
 */
export const dateFormatOf = (code: string): ((in1904: boolean) => (value: number) => string) | 'elapsed' | null => {
  const section = sectionsOf(code)[0] ?? '';
  const fields = fieldsOf(section);
  if (!/[ymdhs]/i.test(fields)) return null;
  if (fields.includes('[')) return 'elapsed';
  const withDate = /[yd]/i.test(fields) || !/[hs]/i.test(fields);
  const language = languageOfCode(section) ?? 'en';
  const parts = datePartsOf(section);
  const fractions = partsOfSecond(parts);
  return (in1904) => (value) => {
    if (value < 0 || value >= LAST_DAY) return decimalOf(value);
    const shown = writeDate(parts, momentOf(value, in1904, fractions), language);
    if (!withDate) return shown;
    const iso = isoOf(value, in1904);
    return value < 1 ? iso : withIso(shown, iso);
  };
};
