import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type ProgramName, programs } from '@acervo/contracts';

/** The processes that a root starts itself. A new child resembles its parent for a moment. */
type Kinds = readonly (readonly [kind: ProcessKind, arguments: RegExp])[];
const CHILDREN: Kinds = [
  ...programs.map(
    ({ name, application }) => [name, new RegExp(`apps/${application}/|@acervo/${application}-app`)] as const,
  ),
  ['database', /pglite-server/],
  ['files', /access-process/],
];
const DEEPER: Kinds = [
  ['extraction', /reader-process/],
  ['files', /access-process/],
];

export type ProcessKind = 'root' | 'other' | ProgramName | 'database' | 'files' | 'extraction';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly kind: ProcessKind;
}

const kindOf = (kinds: Kinds, args: string): ProcessKind =>
  kinds.find(([, pattern]) => pattern.test(args))?.[0] ?? 'other';

/** The process of a root and all below it, without those that have ended. */
export const treeOf = (root: number): RunningProcess[] => {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
  const all = lines.flatMap((line): RunningProcess[] => {
    const [, id, above, state = '', args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (id === undefined || state.startsWith('Z')) return [];
    const [pid, parent] = [Number(id), Number(above)];
    return [{ pid, parent, kind: pid === root ? 'root' : kindOf(parent === root ? CHILDREN : DEEPER, args) }];
  });
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
};

/** The letter of a state of a process; undefined where the process is gone. */
const stateOf = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
  } catch {
    return undefined;
  }
};
const hasProc = existsSync('/proc/self/stat');

/** Whether a process runs; one that has ended may still accept signals. Waits ask it often: `ps` costs 50 times as much. */
export const lives = (pid: number): boolean =>
  hasProc ? !['Z', 'X', undefined].includes(stateOf(pid)) : treeOf(pid).length > 0;
