/** Characters that say nothing in a text and that some stores refuse: controls, and marks that are no characters. */
const SILENT = /[^\P{Cc}\t\n\f\r\v]|[\ufeff\ufffe\uffff]/gu;

const LINE_ENDS = /\r\n?|[\v\f\u2028\u2029]/g;

/** Most texts have nothing else than what stays as it is: printable ASCII, composed Latin letters, usual marks. */
const MAY_CHANGE = /[^\t\n\x20-\x7e\xa0-\u02ff\u2010-\u2027\u20ac]/;

/**
 * Text as every store takes it: without NUL, other controls and lone surrogates, with one kind of line end, in NFC.
 * Cleaning twice changes nothing. Ranges are counted after it.
 */
export const cleanText = (text: string): string =>
  MAY_CHANGE.test(text) ? text.toWellFormed().replace(SILENT, '').replace(LINE_ENDS, '\n').normalize('NFC') : text;
