import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from './program';

const DOCUMENTS = 300;

/** A bench with its parameters, as a program of its own; answers what it returns. */
const bench = async (name: string, parameters: object): Promise<unknown> => {
  const file = JSON.stringify(pathToFileURL(join(repository, 'tools', 'bench', `${name}.mjs`)).href);
  const script = `import(${file}).then(({ run }) => run(${JSON.stringify(parameters)})).then((told) => process.send(told))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let told: unknown;
  child.once('message', (message) => (told = message));
  await new Promise((resolve) => child.once('exit', resolve));
  return told;
};

describe('a single new document', () => {
  it('of another group, and of the same, is searchable while most of a backlog waits: a short form of the bench', async () => {
    const told = await bench('fairness', { documents: DOCUMENTS, rounds: 1 });
    // Times are for the bench: a busy machine tells nothing by them. What stood before it, and still does, is no matter of time.
    expect(told).toMatchObject({ left: expect.any(Number), ratios: [expect.any(Number), expect.any(Number)] });
    expect((told as { left: number }).left).toBeGreaterThan(DOCUMENTS / 2);
  }, 300_000);
});
