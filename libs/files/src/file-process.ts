import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Longest start of a process on a busy machine: it does not count as silence of the share. */
export const START_MS = 30_000;
/** Threads of a process for its files: as many as a walk looks at concurrently, so that no entry waits for a hung one. */
const THREADS = '64';

/** Where a compiled entry lies: beside the file that starts it, or in `compiled` when that runs from its source. */
export interface EntryPlace {
  readonly beside: string;
  readonly compiled: string;
  readonly name: string;
}

/** A process that alone touches a share. It does not keep its parent alive, and gets nothing of its environment. */
export const forkFileProcess = ({ beside, compiled, name }: EntryPlace, args: readonly string[] = []): ChildProcess => {
  const entry = join(beside, name);
  const child = fork(existsSync(entry) ? entry : join(compiled, name), [...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
    serialization: 'advanced',
    env: { UV_THREADPOOL_SIZE: THREADS },
  });
  child.unref();
  child.channel?.unref();
  return child;
};
