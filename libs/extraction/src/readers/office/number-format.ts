import { decimalOf, type FigurePattern, patternOf, signed, writeFigure } from './figure-pattern';
import { dateFormatOf } from './date-format';
import { builtInCodes, LONGEST_CODE, sectionsOf } from './format-code';

/** Writes a number of a cell as the cell shows it. */
export type NumberFormat = (value: number) => string;

/** Formats by their whole code, for codes that the patterns here do not cover: fractions, exponents, conditions. */
export type RareFormats = (code: string, value: number) => string;

const EXPONENT = /^(.*)e([+-])(\d+)$/;

/** Excel writes an exponent as `E+21`. */
const general: NumberFormat = (value) => {
  const text = decimalOf(value);
  const [, digits, sign, exponent] = EXPONENT.exec(text) ?? [];
  return digits === undefined ? text : `${digits}E${sign ?? ''}${(exponent ?? '').padStart(2, '0')}`;
};

const FRACTION_OR_EXPONENT = /\/|E[+-]/;

const bareOf = (section: string): string => section.replace(/"[^"]*"|\\.|_.|\*./gs, '').replace(/\[[^[\]]*\]/g, '');

/** Whether a code needs the rules for rare formats. */
export const isRare = (code: string): boolean => {
  if (dateFormatOf(code) === 'elapsed' || /\[[<>=]/.test(code)) return true;
  return dateFormatOf(code) === null && sectionsOf(code).some((section) => FRACTION_OR_EXPONENT.test(bareOf(section)));
};

/** A figure under the section of its sign: positive, negative, zero. */
const figures = (code: string): NumberFormat => {
  const patterns = sectionsOf(code).slice(0, 3).map(patternOf);
  const [positive, negative = null, zero = null] = patterns;
  if (positive === undefined || positive === null) return general;
  const shown = (pattern: FigurePattern, value: number, raw: number): string =>
    writeFigure(pattern, value).trim() || general(raw);
  return (value) => {
    if (value === 0) return shown(zero ?? positive, 0, value);
    if (value > 0) return shown(positive, value, value);
    return negative === null ? signed(shown(positive, -value, value)) : shown(negative, -value, value);
  };
};

/**
 * The format of a style by its number and, if the file has one, its code. A format that shows nothing gives the plain
 * number, so that no figure is lost.
 */
export const numberFormatOf = (
  id: number,
  declared: string | undefined,
  { in1904, rare }: { readonly in1904: boolean; readonly rare: RareFormats | null },
): NumberFormat => {
  const code = (declared ?? builtInCodes.get(id) ?? 'General').slice(0, LONGEST_CODE);
  if (/^(?:general|@|standard)?$/i.test(code.trim())) return general;
  const date = dateFormatOf(code);
  if (date !== null && date !== 'elapsed') return date(in1904);
  if (!isRare(code)) return figures(code);
  return (value) => rare?.(code, value).trim() || general(value);
};

/** A code may repeat a text; a hostile one would multiply it. */
const MOST_TEXTS = 3;
const TEXT_TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[[^[\]]*\]|[\s\S]/g;

/** What a code makes of a text, such as `"Ref. "@`; null for a code that leaves texts as they are. */
export const textFormatOf = (code: string | undefined): ((text: string) => string) | null => {
  if (code === undefined || !code.includes('@') || code.trim() === '@') return null;
  const section = sectionsOf(code.slice(0, LONGEST_CODE)).find((each) => bareOf(each).includes('@'));
  if (section === undefined || section.split('@').length > MOST_TEXTS + 1) return null;
  return (text) =>
    [...section.matchAll(TEXT_TOKEN)]
      .map(([token, quoted, escaped]) => {
        if (token === '@') return text;
        return quoted ?? escaped ?? (/^[[_*]/.test(token) ? '' : token);
      })
      .join('')
      .trim() || text;
};
