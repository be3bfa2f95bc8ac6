import { join } from 'node:path';
import { lives } from '../harness/processes';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

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

/** Promises on an idle machine; a wait is longer on a slow or busy one. */
const [ENDS_MS, BACK_MS] = [5_000, 10_000];

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

  /** The second start on the data of a killed one. */
  let program: Program;

  it('killing the root process ends all processes', async () => {
    const data = join(place.path, 'data-root');
    const port = await freePort();
    const first = await Program.start({ folder, data, port });
    const { descendants } = first;
    expect(descendants.length).toBeGreaterThan(0);
    first.kill();
    await until('the end of all children', () => descendants.every((pid) => !lives(pid)), ENDS_MS);
    program = await Program.start({ folder, data, port });
    program.key = first.key;
  });

  it('a database killed after the root is back, and nothing is lost', async () => {
    process.kill(program.database, 'SIGKILL');
    await until('an answer', async () => (await program.ask('GET', '/v1/session')).status === 200, BACK_MS);
    await assertComplete(program);
    expect(await program.stop()).toBe(0);
  });
});
