// The machine that a run is on: how slow it is, how busy, and what runs left on it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of the reference machine, idle: two cores of a small server. */
const REFERENCE = { startMs: 60, hashMs: 25 };
const MOST_FACTOR = 6;
const HASHED_BYTES = 40 << 20;

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

const timed = (work) => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

/** How much slower this machine is than the reference, from 1 to 6: it multiplies what `until` waits. */
export const machineFactor = () => {
  const bytes = Buffer.alloc(HASHED_BYTES);
  const five = [1, 2, 3, 4, 5];
  const startMs = median(five.map(() => timed(() => spawnSync(process.execPath, ['-e', '0']))));
  const hashMs = median(five.map(() => timed(() => createHash('sha256').update(bytes).digest())));
  const factor = Math.max(startMs / REFERENCE.startMs, hashMs / REFERENCE.hashMs);
  return Math.round(Math.min(Math.max(factor, 1), MOST_FACTOR) * 10) / 10;
};

/** Percent of the last ten seconds in which some process waited for a processor; undefined where the system does not count it. */
export const pressure = () => {
  try {
    return Number(/some avg10=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
};

/**
 * Waits for the pressure to fall: what ran before still ends.
 * @param most percent that are low enough; @param read how the pressure is read
 * @returns whether it fell within the time
 */
export const pressureFalls = async (most, { withinMs, everyMs = 5_000, read = pressure }) => {
  for (const end = Date.now() + withinMs; ; await pause(everyMs)) {
    const isHigh = (read() ?? 0) > most;
    if (!isHigh || Date.now() >= end) return !isHigh;
  }
};

/** Environment variable that all processes of a run inherit. */
export const RUN_MARK = 'ACERVO_RUN';

const carries = (pid, mark) => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
  } catch {
    return false;
  }
};

/** Processes that carry the mark of a run, except this one. Linux only: elsewhere none is found. */
export const processesOf = (run) => {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
    return pids.filter((pid) => carries(pid, `${RUN_MARK}=${run}`)).map(Number);
  } catch {
    return [];
  }
};

const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 120);
  } catch {
    return '';
  }
};

/** Ends what a run left. @returns the commands of the processes */
export const endProcessesOf = (run) =>
  processesOf(run).map((pid) => {
    const command = commandOf(pid);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
    return `${pid} ${command}`;
  });
