// Memory of all processes of an installation, shared pages counted once.
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { treeOf } from '@acervo/e2e/harness';

const kilobytes = (pid, file, name) => {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
};

/** Megabytes of a process now, shared pages divided among their mappings. Only Linux reports them. */
export const ownMemory = (pid) => kilobytes(pid, 'smaps_rollup', 'Pss') / 1024;

/** Megabytes by kind of process, and in total. Only Linux reports them. */
export const proportionalMemory = (root) => {
  const parts = treeOf(root).map(({ pid, kind }) => ({
    kind,
    megabytes: ownMemory(pid),
  }));
  return { parts, all: parts.reduce((sum, { megabytes }) => sum + megabytes, 0) };
};

/** Resident megabytes of a process now. */
export const residentMemory = (pid) => kilobytes(pid, 'status', 'VmRSS') / 1024;

/** Resets the peak of resident memory of this process. Only Linux supports the reset. */
export const forgetPeak = () => {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Without the reset, the peak covers the whole life of the process.
  }
};

/** Collects garbage, so that unreferenced memory does not count as used. */
export const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

/** Peak resident megabytes of a process, since its start or the last reset. */
export const peakMemory = (pid) => kilobytes(pid, 'status', 'VmHWM') / 1024;
