import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const METRES_AN_INCH = 0.0254;

const chunk = (name: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(content.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), frame.length - 4);
  return frame;
};

export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  /** One byte for each pixel, row by row; a row takes `stride` bytes. */
  readonly pixels: Buffer;
  readonly stride: number;
}

/** A picture in shades of grey as PNG. */
export const pngOf = ({ width, height, pixels, stride }: GreyPicture, dotsPerInch: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const density = Buffer.alloc(9);
  density.writeUInt32BE(Math.round(dotsPerInch / METRES_AN_INCH), 0);
  density.writeUInt32BE(Math.round(dotsPerInch / METRES_AN_INCH), 4);
  density[8] = 1;
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    pixels.copy(rows, row * (width + 1) + 1, row * stride, row * stride + width);
  const content = deflateSync(rows, { level: 1 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', content),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
