// Memory of all processes of an installation, shared pages counted once.
import { readFileSync } from 'node:fs';
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

/** Most megabytes that a process ever had resident. */
export const peakMemory = (pid) => kilobytes(pid, 'status', 'VmHWM') / 1024;
