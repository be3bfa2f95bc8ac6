import { UnsupportedFile } from './errors';

const BINARY = 0.02;
/** A few control characters are dirt in a text file, not a sign of another format. */
const DIRT = 4;

/** What Windows-1252 puts where Latin-1 has control characters, from 0x80; the decoder of Node 20 does not know it. */
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text with the characters that Windows-1252 has in place of the control characters of Latin-1: nobody writes those. */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => UPPER[control.charCodeAt(0) - 0x80] ?? control);

const windows1252 = (bytes: Buffer): string => withoutControls(bytes.toString('latin1'));

/** Whether bytes are something else than text: control characters other than white space and escapes. */
const looksBinary = (text: string): boolean => {
  const sample = text.slice(0, 8_000);
  let strange = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index);
    if (code < 32 && ![9, 10, 12, 13, 27].includes(code)) strange += 1;
  }
  return strange > Math.max(DIRT, sample.length * BINARY);
};

const utf16 = (bytes: Buffer): string | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes.subarray(2));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes.subarray(2));
  // Without a mark, Latin text in UTF-16 has a zero in every second byte.
  const sample = bytes.subarray(0, 400);
  const zeros = (from: number): number => {
    let count = 0;
    for (let index = from; index < sample.length; index += 2) if (sample[index] === 0) count += 1;
    return count / (sample.length / 2 || 1);
  };
  if (sample.length >= 8 && zeros(1) > 0.6 && zeros(0) < 0.1) return new TextDecoder('utf-16le').decode(bytes);
  if (sample.length >= 8 && zeros(0) > 0.6 && zeros(1) < 0.1) return new TextDecoder('utf-16be').decode(bytes);
  return undefined;
};

const utf8 = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Text without what no store takes: NUL, lone surrogates; with one kind of line end. */
export const cleanText = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().replace(/\r\n?/g, '\n').normalize('NFC');

/** The text of bytes: UTF-16 by its mark or its zeros, UTF-8 where it is valid, else Windows-1252. @throws UnsupportedFile */
export const decodeText = (bytes: Buffer): string => {
  const text = utf16(bytes) ?? utf8(bytes) ?? windows1252(bytes);
  if (looksBinary(text)) throw new UnsupportedFile('The file is named as text and holds something else.');
  return cleanText(text);
};
