import { spawnOwned } from '@acervo/platform-testing';
import type { Environment } from './composed-environments';

export interface Ended {
  readonly code: number | null;
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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
};
