import { DamagedFile, LimitExceeded, NoTextFound } from '../src/errors';
import { XlsxReader } from '../src/readers/office';
import { columnOf } from '../src/readers/office/xlsx-values';
import { FACTS, type SheetContent, xlsxFile, xlsxRow } from './support/office-files';
import { headingsOf, readWith, tablesOf } from './support/reading';

const reader = new XlsxReader();
const read = async (rows: string, shared: readonly string[] = []) =>
  (await readWith(reader, xlsxFile([{ name: 'Hoja', rows }], shared))).document;

describe('a workbook', () => {
  it('each sheet is a table with its name and header', async () => {
    const sheets: SheetContent[] = ['Ventas', 'Compras'].map((name) => ({
      name,
      rows: xlsxRow(1, 'Año', 'Importe') + xlsxRow(2, 2023, 10.5) + xlsxRow(3, 2024, 0.1 + 0.2),
    }));
    const { document } = await readWith(reader, xlsxFile(sheets, [], true));
    const table = { header: 'Año | Importe', rows: ['2023 | 10.5', '2024 | 0.3'] };
    expect(tablesOf(document)).toEqual([
      { title: 'Ventas', ...table },
      { title: 'Compras', ...table },
    ]);
    expect(headingsOf(document)).toEqual(['1 Ventas', '1 Compras']);
    expect(document).toMatchObject(FACTS);
  });
  it('text above the header becomes lines without margin', async () => {
    const blank = '<c r="A1"/>';
    const rows =
      xlsxRow(1, blank, 'Informe anual') +
      xlsxRow(3, blank, 'Zona', 'Total') +
      xlsxRow(4, blank, 'Norte', 5) +
      xlsxRow(5, blank, 'Sur', 6);
    const document = await read(rows);
    expect(document.text).toBe('Hoja\n\nInforme anual\n\nZona | Total\nNorte | 5\nSur | 6');
    expect(tablesOf(document)).toEqual([{ title: 'Hoja', header: 'Zona | Total', rows: ['Norte | 5', 'Sur | 6'] }]);
  });
  it('a first row of figures is no header', async () => {
    expect(tablesOf(await read(xlsxRow(1, 1, 2) + xlsxRow(2, 3, 4)))).toEqual([
      { title: 'Hoja', header: null, rows: ['1 | 2', '3 | 4'] },
    ]);
  });
  it('years above figures are names of columns', async () => {
    expect(tablesOf(await read(xlsxRow(1, 'Zona', 2022, 2023) + xlsxRow(2, 'Norte', 5, 6)))).toMatchObject([
      { header: 'Zona | 2022 | 2023', rows: ['Norte | 5 | 6'] },
    ]);
    expect(tablesOf(await read(xlsxRow(1, 'Norte', 2022) + xlsxRow(2, 'Sur', 2023)))).toMatchObject([{ header: null }]);
  });
  it('shared strings are read without phonetic hints', async () => {
    const shared = ['<t>uno</t>', '<r><t>d</t></r><r><t>os</t></r><rPh><t>x</t></rPh>'];
    const cells = ['<c r="A1" t="s"><v>1</v></c>', '<c r="B1" t="s"><v>0</v></c>', '<c r="C1" t="s"><v>9</v></c>'];
    expect((await read(xlsxRow(1, ...cells), shared)).text).toBe('Hoja\n\ndos | uno');
  });
  it('dates are ISO 8601, shares percentages, formulas values', async () => {
    const cells = [
      '<c r="A1" s="1"><v>45356</v></c>',
      '<c r="B1" s="3"><v>45356.75</v></c>',
      '<c r="C1" s="2"><v>0.125</v></c>',
      '<c r="D1"><f>A1*2</f><v>7</v></c>',
      '<c r="E1" t="str"><f>x</f><v>hecho</v></c>',
      '<c r="F1" t="b"><v>1</v></c>',
    ];
    expect((await read(xlsxRow(1, ...cells))).text).toBe(
      'Hoja\n\n2024-03-05 | 05/03/2024 h 18:00 (2024-03-05 18:00:00) | 12.50% | 7 | hecho | TRUE',
    );
  });
  it('hidden sheets are read, very hidden ones not', async () => {
    const sheets: SheetContent[] = (['visible', 'hidden', 'veryHidden'] as const).map((state) => ({
      name: state,
      state,
      rows: xlsxRow(1, 'x'),
    }));
    expect(headingsOf((await readWith(reader, xlsxFile(sheets))).document)).toEqual(['1 visible', '1 hidden']);
  });
  it('empty cells between filled ones are kept, except wide gaps', async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c><c r="XFD1"><v>9</v></c></row>';
    expect((await read(rows)).text).toBe('Hoja\n\n1 |  | 3 | 9');
  });
  it('a workbook beyond the text limit is refused', async () => {
    const rows = Array.from({ length: 50 }, (_row, index) => xlsxRow(index + 1, 'palabra', index)).join('');
    await expect(readWith(reader, xlsxFile([{ name: 'a', rows }]), { characters: 200 })).rejects.toThrow(LimitExceeded);
    await expect(
      readWith(reader, xlsxFile([{ name: 'a', rows: '' }], ['<t>palabras</t>']), { characters: 5 }),
    ).rejects.toThrow(LimitExceeded);
  });
  it('repeated long strings beyond the limit are refused', async () => {
    const cells = Array.from({ length: 5_000 }, () => '<c t="s"><v>0</v></c>');
    const bytes = xlsxFile([{ name: 'a', rows: `<row>${cells.join('')}</row>` }], [`<t>${'x'.repeat(900_000)}</t>`]);
    await expect(readWith(reader, bytes, { characters: 1_000_000, ratio: 10_000 })).rejects.toThrow(LimitExceeded);
  });
  it('a workbook without text or truncated is refused', async () => {
    await expect(readWith(reader, xlsxFile([{ name: 'a', rows: '' }]))).rejects.toThrow(NoTextFound);
    await expect(readWith(reader, xlsxFile([]).subarray(0, 400))).rejects.toThrow(DamagedFile);
  });
});

describe('a reference of a cell', () => {
  it.each([
    ['A1', 0],
    ['Z9', 25],
    ['AA10', 26],
    ['XFD1', 16_383],
    ['1', undefined],
    [undefined, undefined],
  ])('%s is in column %s', (reference, column) => {
    expect(columnOf(reference)).toBe(column);
  });
});
