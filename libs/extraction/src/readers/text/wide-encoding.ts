/** Encodings of Unicode with two or four bytes a unit. */
export type WideEncoding = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** Bytes that decide about the encoding of a text without a mark; a multiple of four. */
const SAMPLE = 16_384;
/** Characters that no text has in numbers, as a share of all; a few are damage. */
const DIRT = 0.02;
/** Share of bytes above ASCII in a wide text without zeros. */
const LEAST_HIGH = 0.1;
/** A larger share of zeros in a text of single bytes means wider units. */
const MOST_ZEROS = 0.3;

/** Byte order marks. The longer ones come first: UTF-32LE begins like UTF-16LE. */
const marks: readonly (readonly [mark: string, encoding: WideEncoding])[] = [
  ['fffe0000', 'utf-32le'],
  ['0000feff', 'utf-32be'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** Controls other than white space and escapes, unassigned and private characters, halves of characters. */
const STRANGE = /[^\P{Cc}\t\n\f\r\x1b]|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;
/** Characters that nearly every text contains: ASCII, and the kana and punctuation of East Asia. */
const ORDINARY = /[\t\n\r\x20-\x7e\u3000-\u30ff\uff01-\uff5e]/g;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const isStrangeByte = (byte: number): boolean => byte < 32 && ![0, 9, 10, 12, 13, 27].includes(byte);

/** Whether bytes are a text of single bytes, such as UTF-8 or Windows-1252; zeros in it are stray. */
const isNarrow = (bytes: Uint8Array): boolean => {
  let [zeros, strange, high] = [0, 0, 0];
  for (const byte of bytes) {
    if (byte === 0) zeros += 1;
    else if (isStrangeByte(byte)) strange += 1;
    else if (byte >= 0x80) high += 1;
  }
  // Wide letters of the Latin script have zeros, and those of East Asia bytes above ASCII.
  if (zeros === 0 && high < bytes.length * LEAST_HIGH) return true;
  return strange <= (bytes.length - zeros) * DIRT && zeros <= bytes.length * MOST_ZEROS;
};

/** The characters of four bytes each; half a character for a number that is not one. */
const decode32 = (bytes: Buffer, isLittle: boolean): string => {
  const points: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4)
    points.push(isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return points.map((point) => String.fromCodePoint(point > 0x10ffff ? 0xfffd : point)).join('');
};

const PIECE = 65_536;

/** The characters of bytes in a wide encoding; a byte order mark is left out. */
export const decodeWide = (bytes: Buffer, encoding: WideEncoding): string => {
  if (!encoding.startsWith('utf-32')) return new TextDecoder(encoding).decode(bytes);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(decode32(bytes.subarray(at, at + PIECE), encoding === 'utf-32le'));
  return pieces.join('').replace(/^\ufeff/, '');
};

interface Candidate {
  readonly encoding: WideEncoding;
  /** Share of ordinary characters. */
  readonly ordinary: number;
}

/** How well an encoding explains bytes; undefined if it does not. */
const candidateOf = (bytes: Buffer, encoding: WideEncoding): Candidate | undefined => {
  // The last character may be cut off.
  const whole = bytes.length - (bytes.length % 2);
  const text = decodeWide(bytes.subarray(0, whole), encoding);
  const found = count(text, ORDINARY);
  return found === 0 || count(text, STRANGE) > text.length * DIRT
    ? undefined
    : { encoding, ordinary: found / text.length };
};

const best = (bytes: Buffer, encodings: readonly WideEncoding[]): WideEncoding | undefined =>
  encodings
    .flatMap((encoding) => candidateOf(bytes, encoding) ?? [])
    .toSorted((one, other) => other.ordinary - one.ordinary)[0]?.encoding;

/**
 * The wide encoding of a text: by its byte order mark, else by its bytes. Undefined for a text of single bytes, and for
 * bytes that no wide encoding explains.
 */
export const wideEncodingOf = (bytes: Buffer): WideEncoding | undefined => {
  const start = bytes.toString('hex', 0, 4);
  const sample = bytes.subarray(0, SAMPLE);
  const [marked, ...others] = marks.filter(([mark]) => start.startsWith(mark)).map(([, encoding]) => encoding);
  // The mark of UTF-32LE is that of UTF-16LE and a stray zero, too.
  if (marked !== undefined) return others.length === 0 ? marked : (best(sample, [marked]) ?? others[0]);
  if (sample.length < 4 || isNarrow(sample)) return undefined;
  // Text of two or one bytes is never a sequence of characters of four bytes, so these come first.
  return best(sample, ['utf-32le', 'utf-32be']) ?? best(sample, ['utf-16le', 'utf-16be']);
};
