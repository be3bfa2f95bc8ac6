import { join } from 'node:path';
import { programs } from '@acervo/contracts';
import type { RunningProcess } from '../harness/processes';
import { freePort, Program, temporary, write } from '../harness/program';
import { retryUntilAvailable } from '../harness/waiting';

/** Promise on an idle machine; a wait is longer on a slow or busy one. */
const BACK_MS = 20_000;
/** They die in `killed-asks.slow.spec.ts` and `killed-skills.slow.spec.ts`, and serve again there. */
const KILLED_ELSEWHERE = new Set<string>(['retrieval', 'ingestion', 'chat', 'gateway', 'database']);
const SERVICES = new Set<string>(programs.map(({ name }) => name));

const childrenOf = ({ pid, tree }: Program): RunningProcess[] => tree.filter(({ parent }) => parent === pid);

describe('every service in a process of its own', () => {
  const place = temporary();
  afterAll(() => place.remove());

  it('with one process per service, a killed process restarts', async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'uno.txt': 'El puente viejo se cierra por obras.', 'empty.md': '' });
    const program = await Program.start({
      folder,
      data: join(place.path, 'data'),
      port: await freePort(),
      processes: true,
    });
    await program.done();
    // The services, the database and the watch of the folder.
    expect(program.children.length).toBe(programs.length + 2);
    expect(await program.names('puente')).toEqual(['uno.txt']);
    expect((await program.ask('POST', '/v1/documents/search', { query: ' ' })).body).toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect((await program.ask('GET', '/v1/documents/D1')).status).toBe(404);
    const children = childrenOf(program);
    const killed = children.filter(({ kind }) => !KILLED_ELSEWHERE.has(kind));
    expect(killed.length).toBe(children.length - KILLED_ELSEWHERE.size);
    for (const { pid, kind } of killed) {
      process.kill(pid, 'SIGKILL');
      const isBack = async (): Promise<true | undefined> => {
        const isRunning = childrenOf(program).some((other) => other.kind === kind && other.pid !== pid);
        if (SERVICES.has(kind) && !isRunning) return undefined;
        return (await program.names('puente'))[0] === 'uno.txt' ? true : undefined;
      };
      await retryUntilAvailable(() => `a search again; printed:\n${program.printed}`, isBack, BACK_MS);
    }
    expect(await program.stop()).toBe(0);
  });
});
