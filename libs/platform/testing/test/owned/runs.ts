import { readFileSync } from 'node:fs';

/** Whether a process runs; one that has ended and whose parent has not noticed does not. */
export const runs = (pid: number): boolean => {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};
