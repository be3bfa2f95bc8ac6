import { join } from 'node:path';
import { freePort, Program, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';

describe('a folder that a user adds over HTTP', () => {
  const place = temporary();
  const [first, second, data] = ['first', 'second', 'data'].map((name) => join(place.path, name)) as [
    ...[string, string, string],
  ];
  const environment = { ACERVO_FOLDER_ROOTS: `G1=${place.path}` };
  let program: Program;
  const run = async (code: string, input: object): Promise<Record<string, unknown>> => {
    const { status, body } = await program.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true });
    expect([code, status]).toEqual([code, 200]);
    return body['result'] as Record<string, unknown>;
  };
  const finds = (name: string) => until(`${name} is found`, async () => (await program.names('cuota')).includes(name));

  beforeAll(async () => {
    write(first, { 'uno.txt': 'La cuota del agua sube.' });
    write(second, { 'dos.txt': 'La cuota del canal baja.' });
    program = await Program.start({ folder: first, data, port: await freePort(), environment });
    await program.done();
  });
  afterAll(async () => {
    await program.stop();
    place.remove();
  });

  it('an added folder is ingested, watched and recorded', async () => {
    await run('locations.create', { path: second });
    await finds('dos.txt');
    await until('the folder is remembered', () => program.remembers(second));
    write(second, { 'tres.txt': 'La cuota del pozo queda igual.' });
    await finds('tres.txt');
    expect((await program.names('cuota')).sort()).toEqual(['dos.txt', 'tres.txt', 'uno.txt']);
  });

  it('a deleted folder leaves with its documents', async () => {
    const { locations } = await run('locations.list', { limit: 50 });
    const codeOf = (name: string): string =>
      (locations as { code: string; name: string }[]).find((each) => each.name === name)?.code ?? '';
    await run('locations.delete', { location_code: codeOf('first') });
    await until('its document has left', async () => !(await program.names('cuota')).includes('uno.txt'));
    await until('the folder is forgotten', () => !program.remembers(first));
  });

  it('a later start ingests the added folder, and not the deleted one', async () => {
    write(first, { 'cuatro.txt': 'La cuota de la acequia se olvida.' });
    write(second, { 'cinco.txt': 'La cuota de la noria llega tarde.' });
    const { key } = program;
    await program.stop();
    program = await Program.start({ folder: null, data, port: await freePort(), environment });
    program.key = key;
    await program.done();
    expect((await program.names('cuota')).sort()).toEqual(['cinco.txt', 'dos.txt', 'tres.txt']);
  });
});
