import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryUnusable } from './layout';

/** The rights of group and others. */
const OTHERS = 0o077;
/** The folders of a data directory. Each may be a link to another disk. */
const FOLDERS = ['database', 'objects', 'mail', 'logs', 'embedder'];

/** Whether other users have a right on what a path leads to; false where it leads to nothing. */
const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;

const restrict = (path: string): void => {
  // A running program may have removed the file meanwhile.
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS);
};

/** Takes every right on a tree from other users, the top last: an interrupted run is repeated by the next start. */
const close = (path: string): void => {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) close(below);
    else if (!entry.isSymbolicLink()) restrict(below);
  }
  restrict(path);
};

/**
 * Makes a data directory private: its files contain the text of documents and the keys to them. An installation of an
 * earlier version is open to every user of the machine. Windows has no such modes.
 * @throws DataDirectoryUnusable where other users keep their rights
 */
export const closeToOthers = (path: string): void => {
  if (process.platform === 'win32') return;
  const tops = [...FOLDERS.map((name) => join(path, name)), path];
  try {
    tops.filter(isOpen).forEach(close);
  } catch {
    // The rights that are left decide.
  }
  if (tops.some(isOpen))
    throw new DataDirectoryUnusable(
      `Other users of this machine can read ${path}, and this start cannot change that; nothing was started. Execute "chmod -R go-rwx ${path}" as its owner, or choose a directory on another file system with --data.`,
    );
};
