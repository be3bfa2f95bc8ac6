import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { MODEL_DIGESTS, MODEL_FILES } from './model-files';

const digestOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), hash);
  return hash.digest('hex');
};

/** Whether a directory holds the converted model, complete and unchanged. */
export const isConverted = async (directory: string): Promise<boolean> => {
  for (const name of MODEL_FILES) {
    const digest = await digestOf(join(directory, name)).catch(() => undefined);
    if (digest !== MODEL_DIGESTS[name]) return false;
  }
  return true;
};
