import { isPageNumber } from '../../page-number';

/** Marks of a running header of a sheet for fonts, colours, dates and names of files. */
const MARKS = /&(?:"[^"]*"|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|\d+|[A-Z])/gi;
const NUMBERS = /&[PN]/g;

/** The lines of a running header or footer of a sheet, without marks and numbers of pages. */
export const runningLinesOf = (text: string): string[] =>
  text
    .replaceAll('&&', '\u0000')
    .replace(/&[LCR]/g, '\n')
    .split('\n')
    .filter((line) => !isPageNumber(line.replace(NUMBERS, '1').replace(MARKS, '').trim()))
    .map((line) => line.replace(MARKS, '').replaceAll('\u0000', '&').trim())
    .filter((line) => /\p{L}/u.test(line));
