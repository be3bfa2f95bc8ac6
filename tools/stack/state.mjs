// The running processes of a stack, as a file. The start time identifies a process together with its id, since ids are
// reused.
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

/** The identity of a process; undefined if it is gone. */
export const identify = (pid) => {
  const [stat = 'Z', ...began] = listed(pid).split(/\s+/);
  return stat === '' || stat.startsWith('Z') ? undefined : { pid, began: began.join(' ') };
};

/** Whether exactly this process still runs. */
export const lives = (recorded) => recorded !== undefined && identify(recorded.pid)?.began === recorded.began;

/** Sends a signal to exactly this process; returns whether it existed. */
export const signal = (recorded, name) => {
  if (!lives(recorded)) return false;
  try {
    return process.kill(recorded.pid, name);
  } catch {
    return false;
  }
};

/** Waits until a process is gone; returns whether it ended in time. */
export const gone = async (recorded, ms) => {
  const end = Date.now() + ms;
  while (lives(recorded)) {
    if (Date.now() > end) return false;
    await pause(100);
  }
  return true;
};

export const readState = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** Writes the state atomically, readable by its owner only, because it contains passwords. */
export const writeState = (file, state) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(`${file}.part`, file);
};
