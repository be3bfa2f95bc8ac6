import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExtractionRefusal } from '../src/errors';
import type { AcquiredFile } from '../src/reader';
import { ExtractionPool } from '../src/sandbox/extraction-pool';
import { hostileFiles } from './support/hostile-files';
import { samples } from './support/samples';

const CANARY = 'los-secretos-de-la-casa';
const PROCESSES = 2;

interface Outcome {
  readonly name: string;
  readonly text: string | null;
  readonly refusal: string;
}

describe('files that were made to do harm', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-canary-'));
  const canary = join(place, 'canary.txt');
  writeFileSync(canary, CANARY);
  const pool = new ExtractionPool({
    limits: { processes: PROCESSES, inflatedBytes: 200_000_000 },
  });
  let most = 0;
  const watching = setInterval(() => (most = Math.max(most, pool.pids.length)), 20);

  afterAll(async () => {
    clearInterval(watching);
    await pool.close();
    rmSync(place, { recursive: true });
  });

  const outcomeOf = async (file: AcquiredFile): Promise<Outcome> => {
    const done = (text: string | null, refusal: string): Outcome => ({ name: file.name, text, refusal });
    try {
      return done((await pool.extract(file)).document.text, '');
    } catch (error) {
      if (!(error instanceof ExtractionRefusal)) throw error;
      return done(null, error.message);
    }
  };

  let hostile: Outcome[] = [];
  let neighbours: Outcome[] = [];
  beforeAll(async () => {
    const harmless = samples();
    const mixed = hostileFiles(canary).flatMap((file, index) => {
      const neighbour = harmless[index % harmless.length];
      return neighbour === undefined ? [file] : [file, { ...neighbour, name: `vecino-${neighbour.name}` }];
    });
    const outcomes = await Promise.all(mixed.map(outcomeOf));
    hostile = outcomes.filter(({ name }) => !name.startsWith('vecino-'));
    neighbours = outcomes.filter(({ name }) => name.startsWith('vecino-'));
  });

  it('every hostile file gives text or a reason', () => {
    expect(hostile.length).toBeGreaterThanOrEqual(60);
    for (const { name, text, refusal } of hostile) expect([name, (text ?? refusal).length > 0]).toEqual([name, true]);
  });
  it.each([
    ['bomba-plana.docx', /more than \d+ inflated bytes/],
    ['bomba-solapada.docx', /damaged/],
    ['bomba-entradas.docx', /more than \d+ files in an archive/],
    ['enlace.odt', /damaged/],
    ['risas.xml', /declares entities/],
    ['risas.docx', /damaged/],
    ['fuera.xml', /declares entities/],
    ['hondo.json', /more than 500 values/],
    ['hondo.xml', /more than 500 elements/],
    ['hondo.html', /more than 500 elements/],
    ['tablas.docx', /more than 500 elements/],
    ['hondo.rtf', /more than 500 groups/],
    ['imagen.png', /pixels/],
    ['linea.csv', /characters in a row/],
    ['sin-letras.pdf', /fonts do not name their letters/],
    ['nulos.txt', /something else/],
    ['viejo-cifrado.doc', /password/],
    ['viejo-truncado.doc', /damaged/],
    ['viejo-circular.doc', /damaged/],
    ['viejo-piezas.doc', /damaged/],
    ['viejo-truncado.xls', /damaged/],
    ['viejo-circular.xls', /damaged/],
    ['bomba.xlsb', /more than \d+ inflated bytes/],
    ['viejo-cifrado.ppt', /password/],
    ['viejo-truncado.ppt', /damaged/],
    ['viejo-sin-directorio.ppt', /damaged/],
    ['viejo-hondo.ppt', /more than 40 records/],
    ['anidado.docx', /documents inside each other/],
    ['cabecera-bomba.docx', /inflated bytes/],
    ['archivo.docx', /Archives are not opened/],
  ])('a hostile file is refused with its reason: %s', (file, reason) => {
    expect(hostile.find(({ name }) => name === file)?.refusal).toMatch(reason);
  });
  it('harmless files that look dangerous are read', () => {
    const textOf = (file: string): string => hostile.find(({ name }) => name === file)?.text ?? '';
    expect(textOf('diez-mil.pdf').match(/Página \d+/g)).toHaveLength(10_000);
    expect(textOf('falso.txt')).toBe('hola');
    for (const name of ['viejo-circular.ppt', 'objeto-circular.docx', 'ausente.docx', 'mandos.pptx'])
      expect([name, textOf(name)]).toEqual([name, 'hola']);
    expect(textOf('circulo.xlsx')).toContain('=SUM(A1:A500)');
    expect(textOf('formato-fecha.xlsx')).toMatch(/150151152.* \(2023-03-15\)$/);
    expect(textOf('hueco.log')).toBe('antes\ndespués\n');
    expect(textOf('ancho.txt').slice(0, 31)).toBe('Все люди рождаются свободными.\n');
    expect(textOf('hondo-400.html')).toBe('x');
    expect(textOf('parrafos.html').match(/x/g)).toHaveLength(60_000);
    expect(textOf('fuera.html')).toBe('hola');
    expect(textOf('linea.txt')).toHaveLength(20_000_000);
    expect(textOf('sueltos.json').isWellFormed()).toBe(true);
  });
  it('hostile files do not affect files that are read concurrently', () => {
    expect(neighbours.length).toBe(hostile.length);
    for (const { name, refusal, text } of neighbours)
      expect([name, refusal, (text ?? '').length > 5]).toEqual([name, '', true]);
  });
  it('hostile files never exceed the process limit', () => {
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(PROCESSES);
  });
  it('hostile files never reveal content of other files', () => {
    for (const { name, text } of hostile) expect([name, (text ?? '').includes(CANARY)]).toEqual([name, false]);
  });
});
