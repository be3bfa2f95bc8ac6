import { types } from 'node:util';
import { DamagedFile, UnsupportedFile } from '../../errors';
import type { PictureOfText } from '../../reader';

export interface ImageHeader {
  readonly kind: PictureOfText['kind'];
  readonly width: number;
  readonly height: number;
  readonly dotsPerInch: number | null;
}

const METRES_AN_INCH = 0.0254;
const CENTIMETRES_AN_INCH = 2.54;
/** A density outside this range is not from a scanner. */
const isDensity = (dots: number): boolean => dots >= 30 && dots <= 2_400;

const density = (dots: number): number | null => (isDensity(dots) ? Math.round(dots) : null);

const pngHeader = (bytes: Buffer): ImageHeader => {
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  for (let at = 8, chunks = 0; at + 17 <= bytes.length && chunks < 32; chunks += 1) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'pHYs' && bytes[at + 16] === 1)
      return { kind: 'png', ...size, dotsPerInch: density(bytes.readUInt32BE(at + 8) * METRES_AN_INCH) };
    if (name === 'IDAT') break;
    at += 12 + bytes.readUInt32BE(at);
  }
  return { kind: 'png', ...size, dotsPerInch: null };
};

/** Markers of JPEG that start a picture, whatever its coding; those in between are tables. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const jfifDensity = (bytes: Buffer, at: number): number | null => {
  if (bytes.toString('latin1', at + 4, at + 8) !== 'JFIF') return null;
  const unit = bytes[at + 11];
  const dots = bytes.readUInt16BE(at + 12);
  if (unit === 1) return density(dots);
  return unit === 2 ? density(dots * CENTIMETRES_AN_INCH) : null;
};

const jpegHeader = (bytes: Buffer): ImageHeader => {
  let dotsPerInch: number | null = null;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) throw new DamagedFile();
    const marker = bytes[at + 1] ?? 0;
    if (startsFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { kind: 'jpeg', width, height, dotsPerInch };
    }
    if (marker === 0xe0) dotsPerInch = jfifDensity(bytes, at);
    // Bytes of 0xff are padding, and some markers have no content.
    at += marker === 0xff ? 1 : 2 + (marker >= 0xd0 && marker <= 0xd8 ? 0 : bytes.readUInt16BE(at + 2));
  }
  throw new DamagedFile();
};

const WIDTH = 256;
const HEIGHT = 257;
/** Types of whole numbers; the last two are read by decoders from elsewhere in the file. */
const [BYTE, SHORT, LONG, SIGNED_SHORT, SIGNED_LONG, LONG8, SIGNED_LONG8] = [1, 3, 4, 8, 9, 16, 17];
const MOST_PICTURES = 10_000;

/** A TIFF contains a sequence of pictures; their total size counts. */
const tiffHeader = (bytes: Buffer): ImageHeader => {
  const isLittle = bytes[0] === 0x49;
  const short = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const long8 = (at: number): number => Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  /** A size as decoders read it: in a type that is skipped here it would pass the limit of pixels. */
  const sizeAt = (entry: number): number => {
    const type = short(entry + 2);
    if (type === BYTE) return bytes.readUInt8(entry + 8);
    if (type === SHORT || type === SIGNED_SHORT) return short(entry + 8);
    if (type === LONG || type === SIGNED_LONG) return long(entry + 8);
    if (type === LONG8 || type === SIGNED_LONG8) return long8(long(entry + 8));
    throw new DamagedFile();
  };
  let [width, height, pictures] = [0, 0, 0];
  for (let at = long(4); at !== 0; pictures += 1) {
    if (pictures >= MOST_PICTURES) throw new DamagedFile();
    const count = short(at);
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
      if (short(entry) === WIDTH) width = Math.max(width, sizeAt(entry));
      if (short(entry) === HEIGHT) height += sizeAt(entry);
    }
    at = long(at + 2 + count * 12);
  }
  return { kind: 'tiff', width, height, dotsPerInch: null };
};

const readers: readonly { readonly magic: readonly string[]; read(bytes: Buffer): ImageHeader }[] = [
  { magic: ['89504e470d0a1a0a'], read: pngHeader },
  { magic: ['ffd8ff'], read: jpegHeader },
  { magic: ['49492a00', '4d4d002a'], read: tiffHeader },
];

/**
 * Reads the header of an image, before its pixels.
 * @throws UnsupportedFile, DamagedFile
 */
export const imageHeaderOf = (bytes: Buffer): ImageHeader => {
  const start = bytes.toString('hex', 0, 8);
  const reader = readers.find(({ magic }) => magic.some((sign) => start.startsWith(sign)));
  if (reader === undefined) throw new UnsupportedFile('Images are read when they are PNG, JPEG or TIFF.');
  try {
    const header = reader.read(bytes);
    if (header.width > 0 && header.height > 0) return header;
  } catch (error) {
    // An offset beyond the end of the file.
    if (!(types.isNativeError(error) && error.name === 'RangeError')) throw error;
  }
  throw new DamagedFile();
};
