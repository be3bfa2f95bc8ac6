import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AnswerRefused } from './egress.errors';

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** How much of a body is read: `most` bytes, of which more are refused or left out. */
export interface BodyLimit {
  readonly most: number;
  readonly beyond: 'refuse' | 'leave out';
}

/** One encoding at most: bombs are encoded twice, pages are not. */
const decoded = (raw: Readable, encoding: string): Readable => {
  if (encoding === '' || encoding === 'identity') return raw;
  const decompressor = decompressors[encoding]?.();
  if (decompressor === undefined) throw new AnswerRefused('ENCODING');
  raw.once('error', (error) => decompressor.destroy(error));
  return raw.pipe(decompressor);
};

const chunksWithin = async (stream: Readable, { most, beyond }: BodyLimit): Promise<Buffer[]> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most && beyond === 'refuse') throw new AnswerRefused('SIZE');
    chunks.push(chunk);
    if (size > most) break;
  }
  return chunks;
};

const isOfZlib = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  /^(?:Z_|ERR__?BROTLI|ERR_PADDING|ERR_BUFFER)/.test(String(error.code));

/** Reads a body and decompresses it while it comes, so that a bomb is noticed at the limit. @throws AnswerRefused */
export const readBody = async (raw: Readable, contentEncoding: string, limit: BodyLimit): Promise<Buffer> => {
  // What destroys a body that is half read reports that too.
  raw.on('error', () => undefined);
  const stream = decoded(raw, contentEncoding.trim().toLowerCase());
  try {
    return Buffer.concat(await chunksWithin(stream, limit)).subarray(0, limit.most);
  } catch (error) {
    throw isOfZlib(error) ? new AnswerRefused('ENCODING') : error;
  } finally {
    stream.destroy();
    raw.destroy();
  }
};
