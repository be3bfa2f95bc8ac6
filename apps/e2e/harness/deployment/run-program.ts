import { spawnOwned } from '@acervo/platform-testing';
import type { Environment } from './composed-environments';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Both, in the order in which they were printed. */
  readonly output: string;
}

/** Runs a program to its end; answers its exit code and everything that it printed. */
export const runProgram = (
  entry: string,
  argv: readonly string[],
  { environment, cwd }: { readonly environment: Environment; readonly cwd: string },
): Promise<Ended> => {
  const child = spawnOwned('program with arguments', process.execPath, [entry, ...argv], {
    ...{ env: environment, cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '', output: '' };
  for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const])
    stream?.on('data', (data: Buffer) => {
      printed[name] += data.toString();
      printed.output += data.toString();
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...printed })));
};
