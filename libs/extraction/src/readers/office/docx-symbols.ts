/** Letters of the font Symbol from A to Z and from a to z. */
const CAPITALS = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ';
const SMALL = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ';
const SYMBOL: Readonly<Record<number, string>> = {
  0xa3: '≤',
  0xa5: '∞',
  0xae: '→',
  0xb0: '°',
  0xb1: '±',
  0xb3: '≥',
  0xb4: '×',
  0xb7: '•',
  0xb8: '÷',
  0xb9: '≠',
  0xd6: '√',
  0xe5: '∑',
  0xf2: '∫',
};
/** Boxes, marks, arrows and bullets of the font Wingdings. */
const WINGDINGS: Readonly<Record<number, string>> = {
  0x28: '☎',
  0x2a: '✉',
  0x6c: '●',
  0x6e: '■',
  0x6f: '☐',
  0xa7: '▪',
  0xa8: '☐',
  0xd8: '➢',
  0xe0: '→',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};

const ofSymbol = (code: number): string => {
  if (code >= 0x41 && code <= 0x5a) return CAPITALS.charAt(code - 0x41);
  if (code >= 0x61 && code <= 0x7a) return SMALL.charAt(code - 0x61);
  return SYMBOL[code] ?? (code < 0x41 ? String.fromCharCode(code) : '');
};

/** The character that a font of symbols shows for a code in hexadecimal digits; '' for a picture. */
export const symbolOf = (font: string, digits: string): string => {
  const code = Number.parseInt(digits, 16);
  if (!Number.isInteger(code) || code <= 0x20 || code > 0xffff) return '';
  // Word shifts the codes of such fonts into the private range.
  const shifted = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (/^symbol$/i.test(font)) return ofSymbol(shifted);
  if (/^wingdings$/i.test(font)) return WINGDINGS[shifted] ?? '';
  return code >= 0xe000 && code <= 0xf8ff ? '' : String.fromCharCode(code);
};
