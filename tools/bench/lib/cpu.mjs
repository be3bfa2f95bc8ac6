// CPU time of process trees.
import { readFileSync } from 'node:fs';
import { treeOf } from '@acervo/e2e/harness';

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process tree so far, ended children included. Only Linux reports them. */
export const cpuOf = (pid) =>
  treeOf(pid).reduce((sum, each) => {
    try {
      // Behind the name in parentheses; fields 14 to 17 are user and system time, own and of ended children.
      const fields = readFileSync(`/proc/${each.pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / TICKS_PER_SECOND;
    } catch {
      return sum;
    }
  }, 0);
