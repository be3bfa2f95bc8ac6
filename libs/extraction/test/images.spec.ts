import { deflateSync, inflateSync } from 'node:zlib';
import { DamagedFile, LimitExceeded, NoTextFound, UnsupportedFile } from '../src/errors';
import type { PictureOfText, Recogniser } from '../src/reader';
import { ImageReader } from '../src/readers/images';
import { pngOf } from '../src/readers/images/png';
import { ROOMY } from './support/reading';

const reader = new ImageReader();

const png = (width: number, height: number): Buffer =>
  pngOf({ width, height, stride: width, pixels: Buffer.alloc(width * height, 200) }, 200);

const jpeg = (width: number, height: number): Buffer =>
  Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    0x4a,
    0x46,
    0x49,
    0x46,
    0,
    1,
    1,
    1,
    0,
    150,
    0,
    150,
    0,
    0,
    0xff,
    0xc0,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    0x11,
    0,
    0xff,
    0xd9,
  ]);

const tiff = (isLittle: boolean, pages: readonly (readonly [number, number])[]): Buffer => {
  const bytes = Buffer.alloc(8 + pages.length * 30);
  const short = (value: number, at: number) =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  bytes.write(isLittle ? 'II' : 'MM', 'latin1');
  short(42, 2);
  long(8, 4);
  pages.forEach(([width, height], page) => {
    const at = 8 + page * 30;
    short(2, at);
    [width, height].forEach((value, entry) => {
      short(256 + entry, at + 2 + entry * 12);
      short(4, at + 4 + entry * 12);
      long(1, at + 6 + entry * 12);
      long(value, at + 10 + entry * 12);
    });
    long(page + 1 < pages.length ? at + 30 : 0, at + 26);
  });
  return bytes;
};

const read = async (bytes: Buffer, text: string | null = 'texto', pixels = 1_000_000) => {
  const pictures: PictureOfText[] = [];
  const recogniser: Recogniser | null =
    text === null ? null : { recognise: (picture) => (pictures.push(picture), Promise.resolve(text)) };
  const { document } = await reader.read({ name: 'a', bytes }, { limits: { ...ROOMY, pixels }, recogniser });
  return { document, pictures };
};

describe('an image', () => {
  it.each([
    ['PNG', png(30, 20), 'png', 200],
    ['JPEG', jpeg(30, 20), 'jpeg', 150],
    ['TIFF, little end first', tiff(true, [[30, 20]]), 'tiff', null],
    ['TIFF, big end first', tiff(false, [[30, 20]]), 'tiff', null],
  ])('an image in %s is recognised', async (_name, bytes, kind, dotsPerInch) => {
    const { document, pictures } = await read(bytes, 'Total a pa-\ngar: 30\n\nGracias\f');
    expect(document.text).toBe('Total a pagar: 30\n\nGracias');
    expect(pictures).toEqual([{ bytes, kind, dotsPerInch }]);
  });
  it.each([
    ['PNG', png(1_001, 1_000)],
    ['JPEG', jpeg(1_001, 1_000)],
    [
      'TIFF',
      tiff(true, [
        [1_001, 500],
        [1_001, 500],
      ]),
    ],
  ])('an image in %s with too many pixels is not decoded', async (_name, bytes) => {
    await expect(read(bytes)).rejects.toThrow(LimitExceeded);
    await expect(read(bytes, 'texto', 1_001_000)).resolves.toBeDefined();
  });
  it.each([16, 17])('a TIFF with its width as a number of type %i is not decoded above the limit', async (type) => {
    const bytes = Buffer.concat([tiff(true, [[8, 1_000]]), Buffer.alloc(8)]);
    bytes.writeUInt16LE(type, 12);
    bytes.writeUInt32LE(bytes.length - 8, 18);
    bytes.writeBigUInt64LE(60_000n, bytes.length - 8);
    await expect(read(bytes)).rejects.toThrow(LimitExceeded);
  });
  it.each([
    ['is of another kind', Buffer.from('GIF89a          '), UnsupportedFile],
    ['is cut off', png(30, 20).subarray(0, 20), DamagedFile],
    ['has no size', png(30, 20).fill(0, 16, 24), DamagedFile],
    ['is a JPEG without a picture', jpeg(30, 20).subarray(0, 20), DamagedFile],
    ['is a TIFF with its width as a fraction', tiff(true, [[3, 2]]).fill(5, 12, 13), DamagedFile],
    ['is a TIFF that runs in a circle', tiff(true, [[3, 2]]).fill(8, 34, 35), DamagedFile],
  ])('an image that %s is refused with its reason', async (_what, bytes, refusal) => {
    await expect(read(bytes)).rejects.toThrow(refusal);
  });
  it('an image without recogniser or recognised text has no text', async () => {
    await expect(read(png(3, 2), null)).rejects.toThrow(NoTextFound);
    await expect(read(png(3, 2), ' \n')).rejects.toThrow(NoTextFound);
  });
});

describe('a picture that is written as PNG', () => {
  it('a PNG contains its size, density and pixels row by row', () => {
    const bytes = pngOf({ width: 2, height: 2, stride: 4, pixels: Buffer.from([1, 2, 9, 9, 3, 4, 9, 9]) }, 300);
    const at = bytes.indexOf('IDAT');
    const content = bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4));
    expect([...inflateSync(content)]).toEqual([0, 1, 2, 0, 3, 4]);
    expect(content).toEqual(deflateSync(Buffer.from([0, 1, 2, 0, 3, 4]), { level: 1 }));
    expect(bytes.readUInt32BE(bytes.indexOf('pHYs') + 4)).toBe(11_811);
  });
});
