import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { FileTooLarge } from '@acervo/extraction/errors';
import { DocumentRefused, FileChanging, fileFailure } from './refusal';

/** A file below a root; both paths are absolute and without links, as registered and scanned. */
export interface FilePlace {
  readonly root: string;
  readonly relativePath: string;
  /** Largest file that is read, in bytes. */
  readonly most: number;
}

export interface AcquiredFile {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly size: number;
  readonly mtime: string;
}

/** Never follows a link, and never waits for the other end of a pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whether the open file is the one at its place, and the place is still below the root. */
const assertInPlace = async ({ root }: FilePlace, path: string, opened: BigIntStats): Promise<void> => {
  const real = await realpath(path);
  const inPlace = await stat(real, { bigint: true });
  const below = real === path && real.startsWith(root.endsWith(sep) ? root : root + sep);
  if (!below || inPlace.ino !== opened.ino || inPlace.dev !== opened.dev)
    throw new DocumentRefused('ERROR', 'The way to the file leads through a link, and links are not followed.', true);
};

/** Bytes between two reports of progress: a share that is only slow reads them in time. */
const PIECE = 1_048_576;

const readAll = async (file: FileHandle, before: BigIntStats, progress: () => void): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafeSlow(Number(before.size));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, Math.min(PIECE, bytes.length - filled), filled);
    if (bytesRead === 0) throw new FileChanging();
    filled += bytesRead;
    progress();
  }
  const after = await file.stat({ bigint: true });
  if (after.size !== before.size || after.mtimeNs !== before.mtimeNs) throw new FileChanging();
  return bytes;
};

/** A file that was opened. */
interface OpenFile {
  readonly path: string;
  readonly file: FileHandle;
  readonly progress: () => void;
}

const takeOpen = async (place: FilePlace, { path, file, progress }: OpenFile): Promise<AcquiredFile> => {
  const before = await file.stat({ bigint: true });
  if (!before.isFile()) throw new DocumentRefused('ERROR', 'A special file stands in place of the document.', true);
  await assertInPlace(place, path, before);
  if (before.size > BigInt(place.most)) throw new DocumentRefused('ERROR', new FileTooLarge(place.most).message);
  const bytes = await readAll(file, before, progress);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { bytes, hash, size: bytes.length, mtime: String(before.mtimeNs) };
};

/**
 * Reads a consistent state of a file.
 * @param progress called after each piece
 * @throws DocumentRefused for an absent or too large file, or no regular file below the root
 * @throws FileChanging for a file that changes while it is read; other errors of the file system pass unchanged
 */
export const takeFile = async (place: FilePlace, progress: () => void = () => undefined): Promise<AcquiredFile> => {
  const path = join(place.root, place.relativePath);
  const file = await open(path, FLAGS).catch((error: unknown) => {
    throw fileFailure(error);
  });
  try {
    return await takeOpen(place, { path, file, progress });
  } catch (error) {
    throw fileFailure(error);
  } finally {
    await file.close();
  }
};
