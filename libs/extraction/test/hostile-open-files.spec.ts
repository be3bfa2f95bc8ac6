import { ExtractionRefusal } from '../src/errors';
import { ExtractionPool } from '../src/sandbox/extraction-pool';
import { hostileOpenFiles } from './support/hostile-open-files';

describe('open formats, forms and mails of Outlook that were made to do harm', () => {
  const pool = new ExtractionPool({ limits: { processes: 2, inflatedBytes: 50_000_000, characters: 3_000_000 } });
  const outcomes = new Map<string, string>();
  const files = hostileOpenFiles();

  beforeAll(async () => {
    const read = files.map(async (file) => {
      try {
        outcomes.set(file.name, `read: ${(await pool.extract(file)).document.text.slice(0, 1_000)}`);
      } catch (error) {
        if (!(error instanceof ExtractionRefusal)) throw error;
        outcomes.set(file.name, `${error.outcome}: ${error.message}`);
      }
    });
    await Promise.all(read);
  });
  afterAll(() => pool.close());

  it('every hostile file is read, or refused with a reason', () => {
    expect(files.length).toBeGreaterThanOrEqual(40);
    for (const { name } of files)
      expect([name, outcomes.get(name)]).toEqual([name, expect.stringMatching(/^(?:read|ERROR|UNSUPPORTED): ./)]);
  });
  it.each([
    ['bomba-grafico.odt', /inflated bytes/],
    ['solapado.odt', /damaged/],
    ['enlace.ods', /damaged/],
    ['cifrado.ods', /password/],
    ['cifrado-manifiesto.odt', /password/],
    ['cortado.odp', /damaged/],
    ['fuera.sxw', /damaged/],
    ['listas.odt', /more than 500 elements/],
    ['filas.ods', /characters of text/],
    ['columnas.ods', /characters of text/],
    ['formas.ods', /more than 500 elements/],
    ['risas.fodt', /damaged/],
    ['hondo.fodp', /more than 500 elements/],
    ['hondo-xfa.pdf', /more than 500 elements/],
    ['producto-xfa.pdf', /steps to fill in a form/],
    ['elementos-xfa.pdf', /elements of a form/],
    ['bomba.epub', /inflated bytes/],
  ])('%s is refused with its reason', (name, reason) => {
    expect(outcomes.get(name)).toMatch(reason);
  });
  it.each(['objeto-roto.odt', 'objeto-propio.odt', 'objetos.odt', 'cabecera-rota.odt', 'mentira.fods', 'binario.fodt'])(
    '%s keeps its text',
    (name) => {
      expect(outcomes.get(name)).toBe('read: hola');
    },
  );
  it('no hostile file takes the time or the memory of a process', () => {
    for (const [name, outcome] of outcomes)
      expect([name, /given up|of memory|cannot be read\.$/.test(outcome)]).toEqual([name, false]);
  });
});
