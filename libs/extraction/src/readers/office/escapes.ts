const ESCAPE = /_x([0-9A-F]{4})_/gi;

/** The characters that a workbook writes as `_x000D_`, because XML has no other way; `_x005F_` is the underscore itself. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPE, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
