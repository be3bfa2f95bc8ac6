import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { lives } from '../harness/processes';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

describe('a first start without any configuration', () => {
  const place = temporary();
  afterAll(() => place.remove());

  const isEmbedder = (pid: number): boolean =>
    execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes('e5/server/serve.js');

  it('e5 is installed, searches by meaning, and restarts after a kill', async () => {
    const folder = join(place.path, 'folder');
    write(folder, {
      'cuotas.txt': 'La cuota anual de riego se paga antes del treinta de junio en la caja de la comunidad.',
      'concert.md': 'The orchestra played a symphony that was written in exile.',
      'receta.txt': 'Para la masa se mezclan trescientos gramos de harina con levadura y sal.',
    });
    const program = await Program.start({
      ...{ folder, data: join(place.path, 'data'), port: await freePort() },
      environment: { ACERVO_EMBEDDER: '' },
      readyMs: 240_000,
    });
    await program.done();
    const reason = /The embedder e5 cannot run here \((.*?)\);/.exec(program.printed)?.[1];
    if (reason !== undefined) {
      await program.stop();
      throw new Error(`e5 was left out, so nothing is known of it: ${reason}`);
    }
    expect(program.printed).toContain('Embedder: e5 (multilingual-e5-small, on this machine).');
    const question = 'When do members owe their yearly irrigation fees?';
    expect((await program.names(question))[0]).toBe('cuotas.txt');

    const embedders = program.descendants.filter(isEmbedder);
    expect(embedders).toHaveLength(1);
    for (const pid of embedders) process.kill(pid, 'SIGKILL');
    expect((await program.names('cuota de riego'))[0]).toBe('cuotas.txt');
    await until('its return', async () => (await program.search(question))[0]?.name === 'cuotas.txt', 30_000);

    const { descendants } = program;
    expect(descendants.filter(isEmbedder)).toHaveLength(1);
    program.kill();
    await until('the end of all children', () => descendants.every((pid) => !lives(pid)), 10_000);
  }, 480_000);
});
