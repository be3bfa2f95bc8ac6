import { analyse } from 'chardet';
import { decode, encodingExists } from 'iconv-lite';
import { UnsupportedFile } from '../../errors';
import { cleanText } from './clean-text';

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

/** Whether bytes are not text: they contain control characters other than white space and escapes. */
const looksBinary = (text: string): boolean => {
  const sample = text.slice(0, 8_000);
  let strange = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index);
    if (code < 32 && ![9, 10, 12, 13, 27].includes(code)) strange += 1;
  }
  return strange > Math.max(DIRT, sample.length * BINARY);
};

const decoded = (bytes: Buffer, label: string): string => new TextDecoder(label).decode(bytes);

const utf16 = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, 'utf-16be');
  // Without a mark, Latin text in UTF-16 has a zero in every second byte.
  const sample = bytes.subarray(0, 400);
  const zeros = (from: number): number => {
    let count = 0;
    for (let index = from; index < sample.length; index += 2) if (sample[index] === 0) count += 1;
    return count / (sample.length / 2 || 1);
  };
  if (sample.length >= 8 && zeros(1) > 0.6 && zeros(0) < 0.1) return decoded(bytes, 'utf-16le');
  if (sample.length >= 8 && zeros(0) > 0.6 && zeros(1) < 0.1) return decoded(bytes, 'utf-16be');
  return undefined;
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

/** The characters of bytes: UTF-16 by its mark or its zeros, UTF-8 where it is valid, else the likeliest encoding. */
export const charactersOf = (bytes: Buffer): string =>
  utf16(bytes) ?? utf8(bytes) ?? decode(bytes, guessed(bytes) ?? 'windows-1252');

/**
 * The cleaned text of bytes in any encoding.
 * @throws UnsupportedFile for bytes that are not text
 */
export const decodeText = (bytes: Buffer): string => {
  const text = charactersOf(bytes);
  if (looksBinary(text)) throw new UnsupportedFile('The file is named as text and holds something else.');
  return cleanText(text);
};
