import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename } from 'node:path';

/** The root of a location tree on this machine. */
export interface RootFolder {
  /** Absolute and without links: it is resolved once, and every file is checked against it. */
  readonly path: string;
  readonly name: string;
  readonly inode: string;
}

/** Resolves a requested folder. @throws the error of the file system */
export const resolveRoot = async (requested: string): Promise<RootFolder> => {
  const path = await realpath(requested);
  await readdir(path);
  const { ino } = await lstat(path, { bigint: true });
  return { path, name: basename(path) || 'root', inode: String(ino) };
};
