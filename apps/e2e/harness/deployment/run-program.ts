import type { ChildProcess } from 'node:child_process';
import { spawnOwned } from '@acervo/platform-testing';
import type { Environment } from './composed-environments';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Both, in the order in which they were printed. */
  readonly output: string;
}

/** Gives a child with pipes its input, and collects what it prints until it ends. */
export const endOf = (child: ChildProcess, input?: string): Promise<Ended> => {
  const printed = { out: '', err: '', output: '' };
  for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const])
    stream?.on('data', (data: Buffer) => {
      printed[name] += data.toString();
      printed.output += data.toString();
    });
  child.stdin?.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...printed })));
};

/** Runs a program to its end; answers its exit code and everything that it printed. */
export const runProgram = (
  entry: string,
  argv: readonly string[],
  { environment, cwd }: { readonly environment: Environment; readonly cwd: string },
): Promise<Ended> =>
  endOf(
    spawnOwned('program with arguments', process.execPath, [entry, ...argv], {
      ...{ env: environment, cwd },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
