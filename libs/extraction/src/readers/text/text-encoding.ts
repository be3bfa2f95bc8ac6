import { analyse } from 'chardet';
import { decode, encodingExists } from 'iconv-lite';
import { UnsupportedFile } from '../../errors';
import { cleanText } from '../../clean-text';
import { codePageOf } from './code-pages';
import { nearlyUtf8, partlyUtf8 } from './nearly-utf8';
import { decodeWide, wideEncodingOf } from './wide-encoding';

const BINARY = 0.02;
/** A few control characters are noise in a text file, not a sign of another format. */
const DIRT = 4;

/** Bytes that the detection of encodings reads. */
const SAMPLE = 65_536;
/** Minimum confidence of a guess, out of 100, and its minimum lead over the usual encodings. */
const LEAST_SURE = 40;
const LEAST_AHEAD = 10;
const USUAL = ['ISO-8859-1', 'windows-1252'];

/** Characters of Windows-1252 at the control characters of Latin-1, from 0x80. */
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Replaces control characters of Latin-1 by those of Windows-1252, since real texts never contain the controls. */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => UPPER[control.charCodeAt(0) - 0x80] ?? control);

/** Whether bytes are not text: they contain control characters other than white space, escapes and stray zeros. */
const looksBinary = (text: string): boolean => {
  const sample = text.replaceAll('\0', '').slice(0, 8_000);
  if (sample === '') return text !== '';
  let strange = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index);
    if (code < 32 && ![9, 10, 12, 13, 27].includes(code)) strange += 1;
  }
  return strange > Math.max(DIRT, sample.length * BINARY);
};

const utf8 = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The encoding by letter frequencies; undefined if the usual one is plausible. */
const guessed = (bytes: Buffer): string | undefined => {
  const guesses = analyse(bytes.subarray(0, SAMPLE)).filter(({ name }) => !name.startsWith('UTF'));
  const usual = Math.max(0, ...guesses.filter(({ name }) => USUAL.includes(name)).map(({ confidence }) => confidence));
  const [best] = guesses;
  if (best === undefined || best.confidence < LEAST_SURE || best.confidence < usual + LEAST_AHEAD) return undefined;
  return encodingExists(best.name) ? best.name : undefined;
};

/** The characters of bytes in an encoding that the file names; undefined for an unknown encoding. */
export const decodeAs = (bytes: Buffer, label: string): string | undefined =>
  encodingExists(label)
    ? decode(bytes, /^(?:iso-?8859-?1|latin-?1|us-ascii|ascii)$/i.test(label) ? 'windows-1252' : label)
    : undefined;

/** The characters of a text of single bytes. */
const bySingleBytes = (bytes: Buffer): string => decode(bytes, codePageOf(bytes, guessed(bytes)));

const alone = (byte: Buffer): string => decode(byte, 'windows-1252');

/**
 * The characters of bytes: UTF-16 and UTF-32 by their mark or their bytes, UTF-8 where they are nearly valid, or its lines
 * where some are; else by the likeliest code page.
 */
export const charactersOf = (bytes: Buffer): string => {
  const wide = wideEncodingOf(bytes);
  if (wide !== undefined) return decodeWide(bytes, wide);
  return utf8(bytes) ?? nearlyUtf8(bytes, alone) ?? partlyUtf8(bytes, bySingleBytes) ?? bySingleBytes(bytes);
};

/**
 * The cleaned text of bytes in any encoding.
 * @throws UnsupportedFile for bytes that are not text
 */
export const decodeText = (bytes: Buffer): string => {
  const text = charactersOf(bytes);
  if (looksBinary(text)) throw new UnsupportedFile('The file is named as text and holds something else.');
  return cleanText(text);
};
