// Memory of all processes of an installation, shared pages counted once.
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { treeOf } from './process-tree.mjs';

const kilobytes = (pid, file, name) => {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Megabytes by kind of process, and in all. Linux alone tells them. */
export const proportionalMemory = (root) => {
  const parts = treeOf(root).map(({ pid, kind }) => ({
    kind,
    megabytes: kilobytes(pid, 'smaps_rollup', 'Pss') / 1024,
  }));
  return { parts, all: parts.reduce((sum, { megabytes }) => sum + megabytes, 0) };
};

/** Megabytes that a process has resident now. */
export const residentMemory = (pid) => kilobytes(pid, 'status', 'VmRSS') / 1024;

/** Most megabytes that this process has resident from now on. Linux alone forgets what was before. */
export const forgetPeak = () => {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The peak is that of the whole life then.
  }
};

/** What nobody refers to any more is not counted as used. */
export const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

/** Most megabytes that a process ever had resident, or had since that was forgotten. */
export const peakMemory = (pid) => kilobytes(pid, 'status', 'VmHWM') / 1024;
