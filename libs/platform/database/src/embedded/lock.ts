import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    }
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return printed === '' ? undefined : printed;
  } catch {
    return undefined;
  }
};

interface Holder {
  readonly pid: number;
  readonly began: string | undefined;
}

const readHolder = (file: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
};

const lives = ({ pid, began }: Holder): boolean => began !== undefined && beginningOf(pid) === began;

/** Moves a stale lock aside; of several who try, one succeeds and the others look again. */
const discard = (file: string): void => {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
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
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder !== undefined && lives(holder)) throw new DataDirectoryInUse(directory, holder.pid);
    discard(file);
  }
  throw new DataDirectoryInUse(directory, readHolder(file)?.pid ?? 0);
};
