import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;

const fromPs = (pid: number): Promise<number> =>
  new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, stdout) =>
      resolve(error === null ? Number(stdout.trim()) * 1024 : 0),
    );
  });

/** Resident memory of a process, in bytes; 0 for an ended process. */
export const residentMemory = async (pid: number): Promise<number> => {
  if (process.platform !== 'linux') return fromPs(pid);
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(RESIDENT.exec(status)?.[1] ?? 0) * 1024;
};

const EVERY_MS = 100;

/**
 * Checks the memory of a process ten times a second and reports once when it exceeds a limit. Returns a function that
 * stops the checks.
 */
export const watchMemory = (pid: number, most: number, exceeded: () => void): (() => void) => {
  let stopped = false;
  const look = async (): Promise<void> => {
    if (stopped) return;
    if ((await residentMemory(pid)) > most) {
      stopped = true;
      return exceeded();
    }
    timer = setTimeout(() => void look(), EVERY_MS);
    timer.unref();
  };
  let timer = setTimeout(() => void look(), EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
};
