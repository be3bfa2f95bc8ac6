import { renameSync, statSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

describe('a folder that people work in while the program runs', () => {
  const place = temporary();
  const [folder, outer, data] = ['folder', 'outer', 'data'].map((name) => join(place.path, name)) as [
    string,
    string,
    string,
  ];
  const second = join(outer, 'second');
  let program: Program;

  beforeAll(async () => {
    write(folder, {
      'riego.txt': 'El turno de riego empieza a las seis.',
      'nóminas/enero.txt': 'La nómina de enero se paga el día cinco.',
      'nóminas/borrador.txt': 'Un borrador que nadie debe leer.',
      'otros/uno.txt': 'El almacén cierra a las dos.',
      'otros/dos.txt': 'La furgoneta pasa la revisión en mayo.',
      '.acervoignore': 'borrador*\n',
    });
    write(second, { 'molino.txt': 'El molino de viento gira despacio.' });
    program = await Program.start({ folder, data, port: await freePort() });
    await program.done();
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  /** Runs another start on the same data directory to its end. */
  const ask = async (more: object, named: string | null = null, code = 0): Promise<string> => {
    const other = Program.run({ folder: named, data, port: await freePort(), ...more });
    expect(await other.ended).toBe(code);
    return other.printed;
  };
  const finds = (query: string, path: string) =>
    until(`${path} for ${query}`, async () => (await program.search(query))[0]?.location === path);

  it('excluded entries are printed with their rules', () => {
    expect(program.printed).toMatch(/Scanned .*: 4 files, 4 new, 0 changed, 0 gone, 1 left out\./);
    expect(program.printed).toMatch(/Left out: .*1 named in \.acervoignore/);
  });

  it('a new file is ingested without a command', async () => {
    write(folder, { 'otros/tractor.txt': 'El tractor nuevo llega en septiembre.' });
    await finds('tractor nuevo', '/folder/otros/tractor.txt');
  });

  it('newly excluded files leave the search at once', async () => {
    write(folder, { 'otros/secreto.txt': 'La clave del portón es de sus dueños.' });
    await finds('clave del portón', '/folder/otros/secreto.txt');
    write(folder, { '.acervoignore': 'borrador*\nsecreto*\n' });
    await until('it leaves search', async () => !(await program.names('clave del portón')).includes('secreto.txt'));
  });

  it('a renamed folder keeps its documents, and nothing is read again', async () => {
    const readings = async (): Promise<unknown[]> => {
      const { body } = await program.ask('GET', '/v1/queue?process=ACQUIRE&status=COMPLETED&limit=200');
      const items = body['items'] as { document_name: string; attempts: number; updated_at: string }[];
      return items.flatMap((item) =>
        item.document_name === 'enero.txt' ? [`${item.attempts} at ${item.updated_at}`] : [],
      );
    };
    // A small text goes through its steps in the lease of the first one.
    const before = await readings();
    expect(before).toHaveLength(1);
    renameSync(join(folder, 'nóminas'), join(folder, 'salarios'));
    await finds('nómina de enero', '/folder/salarios/enero.txt');
    expect(await readings()).toEqual(before);
  });

  it('a folder that another start names by a link is watched', async () => {
    const link = join(place.path, 'link');
    symlinkSync(second, link);
    const answers = await ask({}, link);
    expect(answers).toMatch(/Scanned .*second: 1 files, 1 new/);
    expect(answers).toMatch(/Acervo runs already: http:\/\/localhost:\d+/);
    await finds('molino de viento', '/second/molino.txt');
    write(second, { 'aspas.txt': 'Las aspas se pintan de rojo.' });
    await finds('aspas rojo', '/second/aspas.txt');
  });

  it('overlapping folders and the data directory are refused and forgotten', async () => {
    for (const refused of [join(folder, 'otros'), outer]) {
      expect(await ask({}, refused, 1)).toMatch(/was left out: The folder lies inside a registered folder/);
      expect(program.remembers(refused)).toBe(false);
    }
    expect(await ask({}, place.path, 1)).toMatch(/was left out: The folder lies in the data directory, or the data/);
    expect([place.path, folder, second].map((each) => program.remembers(each))).toEqual([false, true, true]);
  });

  it('another start prints the progress', async () => {
    await until('everything is searchable', async () =>
      /Done: 7 of 7/.test(await ask({ commands: [{ name: 'status' }] })),
    );
  });

  it('documents that vanish all at once stay until deletions are accepted', async () => {
    for (const name of ['riego.txt', 'otros/uno.txt', 'otros/dos.txt', 'otros/tractor.txt'])
      unlinkSync(join(folder, name));
    await program.prints(/4 of 5 documents are gone at once/);
    expect(await program.names('turno de riego')).toContain('riego.txt');
    expect(await ask({ acceptDeletions: true })).toMatch(/4 gone/);
    await until('they leave search', async () => !(await program.names('turno de riego')).includes('riego.txt'));
  });

  it('permitted users see runs and the work on documents', async () => {
    const { body } = await program.ask('GET', '/v1/runs?limit=100');
    const runs = body['runs'] as { status: string; missing: number }[];
    expect(runs.length).toBeGreaterThanOrEqual(4);
    expect(runs.every(({ status }) => status === 'COMPLETED')).toBe(true);
    expect(runs.some(({ missing }) => missing === 4)).toBe(true);
    expect((await program.ask('GET', '/v1/queue?status=BOGUS')).status).toBe(422);
  });

  it('a file replaced with its size and times is read again', async () => {
    const [name, before] = ['tarifa.txt', 'La tarifa del puerto cuesta 111 euros.'];
    write(folder, { [name]: before });
    await finds('tarifa del puerto', `/folder/${name}`);
    const { atime, mtime } = statSync(join(folder, name));
    write(folder, { [name]: before.replace('111', '222') });
    utimesSync(join(folder, name), atime, mtime);
    // The summary may be new while the passages are still those of before.
    await until('only the new price is found', async () => {
      const found = JSON.stringify(await program.search('tarifa del puerto'));
      return found.includes('222 euros') && !found.includes('111 euros');
    });
  });

  it('equal files are two documents, and each goes and returns alone', async () => {
    const text = 'El protocolo del relevo se guarda en el faro.';
    const locations = async (): Promise<string[]> =>
      (await program.search('protocolo relevo faro')).flatMap(({ location }) => location ?? []);
    const found = (...names: readonly string[]) =>
      until(`found are ${names.join(', ') || 'none'}`, async () => {
        const now = (await locations()).filter((location) => location.includes('relevo'));
        return now.toSorted().join() === names.map((name) => `/folder/${name}`).join();
      });
    write(folder, { 'a/relevo.txt': text, 'b/relevo.txt': text });
    await found('a/relevo.txt', 'b/relevo.txt');
    unlinkSync(join(folder, 'a/relevo.txt'));
    await found('b/relevo.txt');
    unlinkSync(join(folder, 'b/relevo.txt'));
    await found();
    write(folder, { 'a/relevo.txt': text });
    await found('a/relevo.txt');
  });
});
