import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { everyFormat, hostileFiles } from './every-format';
import { lives } from '../harness/processes';
import { freePort, Program, temporary, write } from '../harness/program';

interface Detail {
  readonly code: string;
  readonly name: string;
  readonly status: string;
  readonly reason: string | null;
  readonly fs: { readonly path: string };
}

describe('a folder with a file of every kind among broken and hostile ones', () => {
  const place = temporary();
  const folder = join(place.path, 'folder');
  let program: Program;
  const details = new Map<string, Detail>();

  beforeAll(async () => {
    write(folder, hostileFiles);
    for (const [name, { bytes }] of Object.entries(everyFormat)) write(folder, { [`good/${name}`]: bytes });
    symlinkSync('/etc/passwd', join(folder, 'link.txt'));
    program = await Program.start({ folder, data: join(place.path, 'data'), port: await freePort() });
    await program.done();
    const { body } = await program.ask('GET', '/v1/documents?limit=100');
    for (const { code } of body['documents'] as Detail[]) {
      const detail = (await program.ask('GET', `/v1/documents/${code}`)).body as unknown as Detail;
      details.set(detail.fs.path, detail);
    }
  });
  afterAll(async () => {
    const { descendants } = program;
    await program.stop();
    expect(descendants.filter(lives)).toEqual([]);
    place.remove();
  });

  it.each(Object.entries(everyFormat))('a search finds the text of %s, with its page', async (name, { word, page }) => {
    const found = (await program.search(`acequia de ${word}`)).find((document) => document.name === name);
    const chunk = found?.chunks.find(({ text }) => text.includes(word));
    expect([details.get(`/folder/good/${name}`)?.status, chunk?.page]).toEqual(['VECTORIZED', page]);
    expect((await program.names(word))[0]).toBe(name);
  });

  it('an attachment of a mail is found as its own document', async () => {
    const [found] = await program.search('acequia de Peñarroya');
    expect(found?.name).toBe('informe.txt');
    expect(details.get('/folder/good/n.eml/informe.txt')?.status).toBe('VECTORIZED');
  });

  it.each(Object.keys(hostileFiles))('the ingestion of %s ends, with a reason if no text results', (name) => {
    const detail = details.get(`/folder/${name}`);
    expect(detail?.status).toMatch(/^(?:VECTORIZED|ERROR|UNSUPPORTED)$/);
    if (detail?.status !== 'VECTORIZED') expect(detail?.reason).toMatch(/^[A-Z].{5,}\.$/);
  });

  it.each(['bomb.docx', 'cut.docx', 'cut.pdf', 'deep.json', 'entities.docx', 'locked.docx', 'noise.pdf'])(
    'the broken file %s ends in the state ERROR',
    (name) => {
      expect(details.get(`/folder/${name}`)?.status).toBe('ERROR');
    },
  );

  it('the content of a file decides its format, not its name', async () => {
    expect((await program.names('fichero es un PDF con otro nombre'))[0]).toBe('polyglot.docx');
  });

  it('links and entities that lead out of the folder are not followed', async () => {
    expect([...details.keys()]).not.toContain('/folder/link.txt');
    for (const { chunks } of await program.search('root bin bash', { limit: 100 }))
      for (const { text } of chunks) expect(text).not.toContain('root:');
  });

  it('after all hostile files, the program still answers and reads', async () => {
    write(folder, { 'late.txt': 'Un aviso que llega tarde desde Barbechales.' });
    await program.stop();
    const again = await Program.start({ folder, data: join(place.path, 'data'), port: await freePort() });
    again.key = program.key;
    program = again;
    await program.done();
    expect(program.printed).toMatch(/1 new, 0 changed, 0 gone/);
    expect((await program.names('Barbechales'))[0]).toBe('late.txt');
  });
});
