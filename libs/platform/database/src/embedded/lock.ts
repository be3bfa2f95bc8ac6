import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Somebody else works on the data directory. */
export class DataDirectoryInUse extends Error {
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`The data directory ${directory} is in use by process ${pid}; stop it or choose another directory.`);
    this.name = 'DataDirectoryInUse';
  }
}

/** When a process began, as text that only equals itself: a process id alone may have been given out again. */
const beginningOf = (pid: number): string | undefined => {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A process that has ended and that nobody has collected holds nothing any more.
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
    }
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return printed === '' ? undefined : printed;
  } catch {
    return undefined;
  }
};

/** A lock that cannot be read is being written, or is what a crash left of one. */
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

/** Whether a file is so young that somebody may still be writing it. */
const isYoung = (file: string): boolean => {
  try {
    return Date.now() - statSync(file).mtimeMs < BEING_WRITTEN_MS;
  } catch {
    return false;
  }
};

/**
 * Moves a stale lock aside. Of several who try, one succeeds and the others look again; who moved a lock that had been
 * renewed in the meantime puts it back.
 */
const discard = (file: string, stale: string): void => {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (read(aside) !== stale) renameSync(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

/**
 * Takes the exclusive lock of a data directory for this process; the engine itself has none, and two processes on one
 * directory lose transactions. A lock whose process is gone is taken over.
 * @throws DataDirectoryInUse
 */
export const lockDirectory = (directory: string): (() => void) => {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'lock.json');
  const own = JSON.stringify({ pid: process.pid, began: beginningOf(process.pid) });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      writeFileSync(file, own, { flag: 'wx' });
      return () => {
        if (read(file) === own) rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = read(file);
    if (found === undefined) continue;
    const holder = holderIn(found);
    if (holder === undefined ? isYoung(file) : lives(holder)) throw new DataDirectoryInUse(directory, holder?.pid ?? 0);
    discard(file, found);
  }
  throw new DataDirectoryInUse(directory, holderIn(read(file) ?? '')?.pid ?? 0);
};
