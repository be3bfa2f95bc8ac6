import { join } from 'node:path';
import { lives } from '../harness/processes';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { runBench } from './run-bench';

const texts = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `doc-${index}.txt`,
      Array.from(
        { length: 20 },
        (_unused, line) =>
          `Documento ${index}, línea ${line}: el acta número ${index * 100 + line} trata del asunto x${index}y${line}.`,
      ).join('\n'),
    ]),
  );

describe('a kill', () => {
  const place = temporary();
  const folder = join(place.path, 'folder');
  beforeAll(() => write(folder, texts(12)));
  afterAll(() => place.remove());

  /** Checks that every document is searchable, and that each of its chunks exists once. */
  const assertComplete = async (program: Program): Promise<void> => {
    await program.done();
    expect(program.printed).toMatch(/Done: 12 of 12 documents searchable/);
    for (let index = 0; index < 12; index += 1) {
      const [found] = await program.search(`x${index}y7`, { limit: 1 });
      expect(found?.name).toBe(`doc-${index}.txt`);
      const numbers = found?.chunks.map(({ extra }) => extra.chunk_number) ?? [];
      expect(new Set(numbers).size).toBe(numbers.length);
    }
  };

  it('killing every process in every phase loses and doubles nothing', async () => {
    const only = ['gateway', 'auth', 'operations', 'extraction'];
    const { exitCode, printed } = await runBench('faults', { rounds: 2, documents: 40, seed: 1, only });
    expect(printed).toContain('all held: 0 lost, 0 doubled in 2 rounds of 40 documents');
    expect(exitCode).toBe(0);
  }, 900_000);

  it('killing the root process ends all processes within five seconds', async () => {
    const data = join(place.path, 'data-root');
    const port = await freePort();
    const first = await Program.start({ folder, data, port });
    const { descendants } = first;
    expect(descendants.length).toBeGreaterThan(0);
    first.kill();
    await until('the end of all children', () => descendants.every((pid) => !lives(pid)), 5_000);
    const second = await Program.start({ folder, data, port });
    second.key = first.key;
    await assertComplete(second);
    await second.stop();
  }, 180_000);

  it('a killed database is back within ten seconds, and nothing is lost', async () => {
    const data = join(place.path, 'data-database');
    const program = await Program.start({ folder, data, port: await freePort() });
    for (let round = 0; round < 3; round += 1) {
      process.kill(program.database, 'SIGKILL');
      await until('an answer', async () => (await program.ask('GET', '/v1/session')).status === 200, 10_000);
    }
    await assertComplete(program);
    expect(await program.stop()).toBe(0);
  }, 180_000);
});
