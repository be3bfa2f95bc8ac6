/** Characters without meaning that some stores refuse: controls and noncharacters. */
const SILENT = /[^\P{Cc}\t\n\f\r\v]|[\ufeff\ufffe\uffff]/gu;

const LINE_ENDS = /\r\n?|[\v\f\u2028\u2029]/g;

/** Most texts contain only characters that stay unchanged: printable ASCII, composed Latin letters, usual marks. */
const MAY_CHANGE = /[^\t\n\x20-\x7e\xa0-\u02ff\u2010-\u2027\u20ac]/;

/**
 * Text that every store accepts: without NUL, other controls and lone surrogates, with one kind of line end, in NFC.
 * Idempotent. Ranges refer to the cleaned text.
 */
export const cleanText = (text: string): string =>
  MAY_CHANGE.test(text) ? text.toWellFormed().replace(SILENT, '').replace(LINE_ENDS, '\n').normalize('NFC') : text;
