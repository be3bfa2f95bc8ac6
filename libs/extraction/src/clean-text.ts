/** Characters without meaning that some stores refuse: controls and noncharacters. */
const SILENT = /[^\P{Cc}\t\n\f\r\v]|[\ufeff\ufffe\uffff]/gu;

/** Characters that no reader sees and that split words: soft hyphens, zero-width spaces and word joiners. */
const INVISIBLE = /[\u00ad\u200b\u2060]/g;
/** Joiners have a meaning inside the scripts of India and Persia, and between pictures, alone. */
const JOINER =
  /(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d]/gu;

const LINE_ENDS = /\r\n?|[\v\f\u2028\u2029]/g;

/** Most texts contain only characters that stay unchanged: printable ASCII, composed Latin letters, usual marks. */
const MAY_CHANGE = /[^\t\n\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u20ac]/;

const changed = (text: string): string =>
  text
    .toWellFormed()
    .replace(SILENT, '')
    .replace(INVISIBLE, '')
    .replace(JOINER, '')
    .replace(LINE_ENDS, '\n')
    .normalize('NFC');

/**
 * Text that every store accepts and that reads as it looks: without NUL, other controls, lone surrogates and invisible
 * characters, with one kind of line end, in NFC. Idempotent. Ranges refer to the cleaned text.
 */
export const cleanText = (text: string): string => (MAY_CHANGE.test(text) ? changed(text) : text);
