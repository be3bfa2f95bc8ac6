import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../harness/program';

/** The end of a bench. */
interface BenchRun {
  readonly exitCode: number | null;
  /** What `run` of the bench returned; undefined if it failed. */
  readonly result: unknown;
  readonly printed: string;
}

const MOST_CHARACTERS = 100_000;

/** Runs a bench of `tools/bench` with parameters, as a program of its own. */
export const runBench = async (name: string, parameters: object): Promise<BenchRun> => {
  const file = JSON.stringify(pathToFileURL(join(repository, 'tools', 'bench', `${name}.mjs`)).href);
  const script = `import(${file}).then(({ run }) => run(${JSON.stringify(parameters)})).then((result) => process.send({ result }))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let [result, printed]: [unknown, string] = [undefined, ''];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(-MOST_CHARACTERS)));
  child.once('message', (message: { readonly result?: unknown }) => ({ result } = message));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, result, printed };
};
