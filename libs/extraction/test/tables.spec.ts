import fc from 'fast-check';
import { encode } from 'iconv-lite';
import { LimitExceeded, NoTextFound } from '../src/errors';
import { CsvReader } from '../src/readers/tables';
import { readWith, tablesOf } from './support/reading';

const reader = new CsvReader();
const read = async (bytes: Buffer | string, limits = {}) => (await readWith(reader, bytes, limits)).document;
const table = async (bytes: Buffer | string) => tablesOf(await read(bytes))[0];

describe('a table in a text file', () => {
  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
  ])('a file with %s as delimiters gives rows and their header', async (_what, delimiter) => {
    const source = [
      ['Nombre', 'Importe'],
      ['Núñez', '1.234,50'.replace(',', delimiter === ',' ? '.' : ',')],
      ['Gil', '3'],
    ];
    const found = await table(source.map((row) => row.join(delimiter)).join('\r\n'));
    expect(found).toEqual({ title: null, header: 'Nombre | Importe', rows: [source[1]?.join(' | '), 'Gil | 3'] });
  });
  it('delimiters, quotes and line ends inside quotes are kept', async () => {
    expect(await table('a,b\n"uno, dos","dijo ""no""\ny calló"\n')).toMatchObject({
      rows: ['uno, dos | dijo "no" y calló'],
    });
  });
  it.each([';', '^', '\t', '|'])('the delimiter %p that the first line names is used', async (delimiter) => {
    const rows = [
      `sep=${delimiter}`,
      ['Calle', 'Notas'].join(delimiter),
      ['Mayor, 3', 'a;b'.replace(';', '-')].join(delimiter),
    ];
    expect(await table(rows.join('\r\n'))).toMatchObject({ header: 'Calle | Notas', rows: ['Mayor, 3 | a-b'] });
  });
  it.each(['^', '~', ':', '||'])('the rare delimiter %p is found where all lines agree', async (delimiter) => {
    const rows = ['Nombre,Fecha,Importe', 'Ana,2024,30', 'Luis,2025,40'];
    const source = rows.map((row) => row.replaceAll(',', delimiter)).join('\n');
    expect(await table(source)).toMatchObject({
      header: 'Nombre | Fecha | Importe',
      rows: ['Ana | 2024 | 30', 'Luis | 2025 | 40'],
    });
  });
  it.each([
    ['web addresses', ['https://a.org/1', 'https://b.org/2', 'http://c.org/3']],
    ['times', ['08:00', '09:30', '10:45']],
    ['times with seconds', ['08:00:15', '09:30:00', '10:45:59']],
    ['labels', ['Zona: Sur', 'Turno: Lunes', 'Precio: 30']],
  ])('a list of %s has one column', async (_what, lines) => {
    const found = await table(lines.join('\n'));
    expect([found?.header, ...(found?.rows ?? [])].filter((line) => line != null)).toEqual(lines);
  });
  it('a short table under several lines of title is divided', async () => {
    const title = ['Comunidad de regantes', 'Ejercicio 2024', 'Gastos, sin ingresos', 'Provisional'];
    const source = [...title, 'Fecha;Concepto;Importe', '2024-01-05;Bomba;30', '2024-02-07;Cable;40'];
    const document = await read(source.join('\n'));
    expect(document.text.startsWith(title.join('\n'))).toBe(true);
    expect(tablesOf(document)).toEqual([
      {
        title: null,
        header: 'Fecha | Concepto | Importe',
        rows: ['2024-01-05 | Bomba | 30', '2024-02-07 | Cable | 40'],
      },
    ]);
  });
  it('a comma in one line of a column is text', async () => {
    expect(await table('solo una columna\nfila uno\nfila, dos\nfila tres\n')).toMatchObject({
      header: 'solo una columna',
      rows: ['fila uno', 'fila, dos', 'fila tres'],
    });
  });
  it('a named delimiter in quotes is used', async () => {
    expect(await table('"sep=;"\nCalle;Notas\nMayor, 3;a\n')).toMatchObject({ rows: ['Mayor, 3 | a'] });
  });
  it('a title and a comment before the header are no rows', async () => {
    const source = 'Tarifas de riego;;\n# en vigor\nZona;Turno;Precio\nAlta;Lunes;30\n';
    const document = await read(source);
    expect(document.text).toMatch(/^Tarifas de riego\n# en vigor\n\nZona/);
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Zona | Turno | Precio', rows: ['Alta | Lunes | 30'] }]);
  });
  it('a first row with figures is no header', async () => {
    expect(await table('2024-01-01;30\n2024-01-02;40\n')).toEqual({
      title: null,
      header: null,
      rows: ['2024-01-01 | 30', '2024-01-02 | 40'],
    });
  });
  it('a table in UTF-16 is read', async () => {
    expect(await table(encode('año,mes\n2024,mayo\n', 'utf16le', { addBOM: true }))).toMatchObject({
      header: 'año | mes',
    });
  });
  it('a table with an unclosed quote is read', async () => {
    expect(await table('talla,precio\n5",10\n"6,20\n7,30\n')).toMatchObject({ rows: ['5" | 10', '"6 | 20', '7 | 30'] });
  });
  it('a table with rows of different lengths is read', async () => {
    expect(await table('a,b,c\n1\n1,2,3,4\n\n1,2,3\n')).toMatchObject({ rows: ['1', '1 | 2 | 3 | 4', '1 | 2 | 3'] });
  });
  it('every cell is returned, whatever its content', async () => {
    const cell = fc.stringMatching(/^[a-zA-Z0-9 "';,|]{0,12}$/);
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const source = [['alfa', 'beta'], ...cells].map((row) =>
          row.map((value) => `"${value.replaceAll('"', '""')}"`),
        );
        const { text } = await read(source.map((row) => row.join(';')).join('\n'));
        for (const value of cells.flat()) expect(text).toContain(value.replace(/\s+/g, ' ').trim());
      }),
    );
  });
  it('a table beyond the character limit is refused', async () => {
    const rows = 'a,b\n'.repeat(20_000);
    expect(tablesOf(await read(rows))[0]?.rows).toHaveLength(19_999);
    await expect(read(rows, { characters: 80_000 })).rejects.toThrow(LimitExceeded);
    await expect(read(rows, { characters: 100_000 })).rejects.toThrow(LimitExceeded);
  });
  it('an empty table is refused with its reason', async () => {
    await expect(read('\n\n')).rejects.toThrow(NoTextFound);
  });
});
