import { type ChildProcess, fork, type ForkOptions, spawn, type SpawnOptions } from 'node:child_process';
import { worker } from './worker';

/** A process that a suite started. In a Jest worker it leads a group, which ends as a whole. */
interface OwnedProcess {
  readonly kind: string;
  readonly pid: number;
  readonly child: ChildProcess;
  hasEnded(): boolean;
}

/** The list in the values of a worker; `tools/jest/owned-processes.cjs` reads it. */
const OWNED = 'processes';

/** The name of the run of all suites, by which its last step finds what is left. */
const markOfRun = (): Readonly<Record<string, string>> => {
  const run = process.env['ACERVO_RUN'];
  return run === undefined ? {} : { ACERVO_RUN: run };
};

/** Outside of a worker, e.g. in a bench, a process belongs to the group of its parent and is killed with it. */
const optionsOf = <O extends SpawnOptions | ForkOptions>(options: O): O => ({
  ...options,
  env: { ...markOfRun(), ...(options.env ?? process.env) },
  detached: worker() !== undefined,
});

const owned = <C extends ChildProcess>(kind: string, child: C): C => {
  const { pid } = child;
  if (pid === undefined) return child;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const here = worker();
  if (here === undefined) {
    const kill = (): boolean => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    return child;
  }
  const entry: OwnedProcess = { kind, pid, child, hasEnded };
  here.values.set(OWNED, [...((here.values.get(OWNED) ?? []) as OwnedProcess[]), entry]);
  return child;
};

/**
 * Starts a process that ends with its suite. A suite that leaves it running fails, and the process is killed with all of
 * its group; so is a process that a failed test started.
 * @param kind what it is, in the message of that failure
 */
export const spawnOwned = (
  kind: string,
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess => owned(kind, spawn(command, args, optionsOf(options)));

/** As `spawnOwned`, for a program of Node that sends messages. */
export const forkOwned = (
  kind: string,
  entry: string,
  args: readonly string[],
  options: ForkOptions = {},
): ChildProcess => owned(kind, fork(entry, args, optionsOf(options)));
