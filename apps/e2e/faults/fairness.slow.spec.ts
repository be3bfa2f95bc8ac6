import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../harness/program';

const DOCUMENTS = 300;
/** Measurements per party; the median counts. */
const ROUNDS = 3;
/**
 * Largest permitted ratio. A document that waited for the backlog would take more than twenty times as long as one
 * without backlog.
 */
const MOST_RATIO = 5;

/** Result of the bench: waiting documents, and how much longer each party waits behind them. */
interface Fairness {
  readonly left: number;
  readonly ratios: readonly number[];
}

/** Runs a bench with parameters as its own program; returns its result. */
const bench = async (name: string, parameters: object): Promise<unknown> => {
  const file = JSON.stringify(pathToFileURL(join(repository, 'tools', 'bench', `${name}.mjs`)).href);
  const script = `import(${file}).then(({ run }) => run(${JSON.stringify(parameters)})).then((result) => process.send(result))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let figures: unknown;
  child.once('message', (message) => (figures = message));
  await new Promise((resolve) => child.once('exit', resolve));
  return figures;
};

describe('a single new document', () => {
  it('a new document is searchable while most of a backlog waits', async () => {
    const figures = (await bench('fairness', { documents: DOCUMENTS, rounds: ROUNDS })) as Fairness;
    expect(figures.left).toBeGreaterThan(DOCUMENTS / 2);
    expect(figures.ratios).toHaveLength(2);
    for (const ratio of figures.ratios) expect(ratio).toBeLessThan(MOST_RATIO);
  }, 300_000);
});
