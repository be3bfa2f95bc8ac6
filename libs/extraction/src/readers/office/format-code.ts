/** Codes of the built-in formats of Excel, which a file names by number alone. */
export const builtInCodes: ReadonlyMap<number, string> = new Map([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [5, '#,##0'],
  [6, '#,##0'],
  [7, '#,##0.00'],
  [8, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [11, '0.00E+00'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, 'yyyy-mm-dd'] as const),
  ...[32, 33, 34, 35, 55, 56].map((id) => [id, 'h:mm:ss'] as const),
  [37, '#,##0;-#,##0'],
  [38, '#,##0;-#,##0'],
  [39, '#,##0.00;-#,##0.00'],
  [40, '#,##0.00;-#,##0.00'],
  [41, '#,##0'],
  [42, '#,##0'],
  [43, '#,##0.00'],
  [44, '#,##0.00'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [48, '##0.0E+0'],
]);

/** Characters of a code that are read; those of real codes are a few dozen. */
export const LONGEST_CODE = 500;

const PIECE = /"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]|;|[^;]/gs;

/** The sections of a code, divided by semicolons outside quotes, escapes and brackets. */
export const sectionsOf = (code: string): string[] => {
  const sections = [''];
  for (const [piece] of code.matchAll(PIECE)) {
    if (piece === ';') sections.push('');
    else sections[sections.length - 1] += piece;
  }
  return sections;
};

/** Languages by the last byte and a half of a locale code, which formats carry as `[$-C0A]`. */
const LANGUAGES: ReadonlyMap<number, string> = new Map([
  [0x03, 'ca'],
  [0x07, 'de'],
  [0x0a, 'es'],
  [0x0c, 'fr'],
  [0x10, 'it'],
  [0x13, 'nl'],
  [0x16, 'pt'],
  [0x2d, 'eu'],
  [0x56, 'gl'],
]);

/** The language that a code names: by a locale, or by the words between the parts of a date; null for none. */
export const languageOfCode = (code: string): string | null => {
  const [, locale, tag] = /\[\$[^[\]-]*-(?:x-)?(?:([0-9A-F]{3,8})|([a-z]{2})-[a-z]+)\]/i.exec(code) ?? [];
  if (tag !== undefined && [...LANGUAGES.values()].includes(tag.toLowerCase())) return tag.toLowerCase();
  const language = locale === undefined ? undefined : LANGUAGES.get(Number.parseInt(locale, 16) & 0xff);
  if (language !== undefined) return language;
  return /["\\\s]de["\\\s]/.test(code) ? 'es' : null;
};

/** Countries that write a decimal point in a language that elsewhere has a comma: Mexico, Switzerland and others. */
const WITH_POINT: ReadonlySet<number> = new Set([
  0x0807, 0x0810, 0x080a, 0x100a, 0x180a, 0x1c0a, 0x280a, 0x440a, 0x480a, 0x4c0a, 0x500a, 0x540a,
]);
const WITH_POINT_TAG = /\[\$[^[\]-]*-(?:x-)?(?:es-(?:mx|us|gt|pa|do|pe|sv|hn|ni|pr)|de-ch|it-ch)\]/i;

/** Whether a code names a country of the decimal comma. */
export const namesComma = (code: string): boolean => {
  const locale = /\[\$[^[\]-]*-([0-9A-F]{3,8})\]/i.exec(code)?.[1];
  const isPoint =
    locale === undefined ? WITH_POINT_TAG.test(code) : WITH_POINT.has(Number.parseInt(locale, 16) & 0xffff);
  return !isPoint && languageOfCode(code) !== null;
};
