import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Another process has locked the data directory. */
export class DataDirectoryInUse extends Error {
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`The data directory ${directory} is in use by process ${pid}; stop it or choose another directory.`);
    this.name = 'DataDirectoryInUse';
  }
}

/** Start time of a process, as text for comparison: its process id alone may have been reused. */
const beginningOf = (pid: number): string | undefined => {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie or dead process owns no lock.
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
    }
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return printed === '' ? undefined : printed;
  } catch {
    return undefined;
  }
};

/** An unreadable lock younger than this may still be being written; an older one is left over from a crash. */
const BEING_WRITTEN_MS = 2_000;

interface Holder {
  readonly pid: number;
  readonly began: string | undefined;
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const holderIn = (text: string): Holder | undefined => {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
};

const lives = ({ pid, began }: Holder): boolean => began !== undefined && beginningOf(pid) === began;

/** Whether a file is so young that its writer may not be finished. */
const isYoung = (file: string): boolean => {
  try {
    return Date.now() - statSync(file).mtimeMs < BEING_WRITTEN_MS;
  } catch {
    return false;
  }
};

/**
 * Moves a stale lock aside. Of concurrent processes one succeeds and the others check again. A lock that was renewed in
 * the meantime is moved back.
 */
const removeStale = (file: string, stale: string): void => {
  const stalePath = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, stalePath);
    if (read(stalePath) !== stale) renameSync(stalePath, file);
    rmSync(stalePath, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

/**
 * Takes the exclusive lock of a data directory for this process. The engine itself has no lock, and two processes on
 * one directory lose transactions. A lock whose process is gone is taken over.
 * @throws DataDirectoryInUse
 */
export const lockDirectory = (directory: string): (() => void) => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'lock.json');
  const ownRecord = JSON.stringify({ pid: process.pid, began: beginningOf(process.pid) });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      writeFileSync(file, ownRecord, { flag: 'wx', mode: 0o600 });
      return () => {
        if (read(file) === ownRecord) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = read(file);
    if (found === undefined) continue;
    const holder = holderIn(found);
    if (holder === undefined ? isYoung(file) : lives(holder)) throw new DataDirectoryInUse(directory, holder?.pid ?? 0);
    removeStale(file, found);
  }
  throw new DataDirectoryInUse(directory, holderIn(read(file) ?? '')?.pid ?? 0);
};
