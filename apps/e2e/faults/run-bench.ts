import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawnOwned } from '@acervo/platform-testing';
import { repository } from '../harness/program';

const MOST_CHARACTERS = 100_000;
const SHOWN_CHARACTERS = 8_000;

/** The end of a bench that returned a result. */
export class BenchRun<R> {
  constructor(
    private readonly result: R,
    private readonly printed: string,
  ) {}

  /** Checks the result. @throws the error of `check`, with what the bench printed */
  check(check: (result: R, printed: string) => void): void {
    try {
      check(this.result, this.printed);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`${message}\n\nThe bench printed:\n${this.printed.slice(-SHOWN_CHARACTERS)}`, { cause: error });
    }
  }
}

/**
 * Runs a bench of `tools/bench` with parameters, as a program of its own.
 * @throws with what the bench printed, if it fails
 */
export const runBench = async <R>(name: string, parameters: object): Promise<BenchRun<R>> => {
  const file = JSON.stringify(pathToFileURL(join(repository, 'tools', 'bench', `${name}.mjs`)).href);
  // A bench may return nothing, and may set the exit code where its goals are missed.
  const script = `import(${file}).then(({ run }) => run(${JSON.stringify(parameters)})).then((result) => process.send({ result: result ?? null }))`;
  const child = spawnOwned(`bench ${name}`, process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [answer, printed]: [{ readonly result: R } | undefined, string] = [undefined, ''];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(-MOST_CHARACTERS)));
  child.once('message', (message: { readonly result: R }) => (answer = message));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const run = answer as { readonly result: R } | undefined;
  if (run === undefined)
    throw new Error(`The bench ${name} ended with ${code} and printed:\n${printed.slice(-SHOWN_CHARACTERS)}`);
  return new BenchRun(run.result, printed);
};
