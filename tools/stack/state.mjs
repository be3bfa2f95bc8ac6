// What runs, written to a file: a process is known by its id and the moment it began, since ids are used again.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const listed = (pid) => {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    return execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    }).trim();
  } catch {
    return '';
  }
};

/** A process as it can be recognised later; undefined when it is gone. */
export const identify = (pid) => {
  const [stat = 'Z', ...began] = listed(pid).split(/\s+/);
  return stat === '' || stat.startsWith('Z') ? undefined : { pid, began: began.join(' ') };
};

/** Whether exactly this process still runs. */
export const lives = (known) => known !== undefined && identify(known.pid)?.began === known.began;

/** Sends a signal to exactly this process; answers whether it was there. */
export const signal = (known, name) => {
  if (!lives(known)) return false;
  try {
    return process.kill(known.pid, name);
  } catch {
    return false;
  }
};

/** Waits until a process is gone; answers whether it went in time. */
export const gone = async (known, ms) => {
  const end = Date.now() + ms;
  while (lives(known)) {
    if (Date.now() > end) return false;
    await pause(100);
  }
  return true;
};

export const readState = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** Whole, or not at all; for its owner alone, since it holds passwords. */
export const writeState = (file, state) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(`${file}.part`, file);
};
