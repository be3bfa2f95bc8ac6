import { XlsxReader } from '../src/readers/office';
import {
  spreadsheetPart,
  relationsPart,
  type SheetContent,
  workbookFile,
  type WorkbookExtras,
  xlsxRow,
} from './support/office-files';
import { readWith, tablesOf } from './support/reading';

const reader = new XlsxReader();
const read = async (sheet: Partial<SheetContent>, extras: WorkbookExtras = {}) =>
  (await readWith(reader, workbookFile([{ name: 'Hoja', rows: '', ...sheet }], extras))).document;

const figure = (reference: string, style: number, value: number): string =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
const formula = (reference: string, text: string, type = ''): string =>
  `<c r="${reference}" ${type}><f>${text}</f><v/></c>`;

describe('cells as a workbook shows them', () => {
  it('postal codes keep zeros, durations their hours, sums their currency', async () => {
    const rows = xlsxRow(1, figure('A1', 4, 8028), figure('B1', 5, 1.25), figure('C1', 6, 1234.5));
    const { text } = await read({ rows }, { formats: ['00000', '[h]:mm', '#,##0.00 "€"'] });
    expect(text).toBe('Hoja\n\n08028 | 30:00 | 1.234,50 €');
  });
  it('escaped characters are decoded', async () => {
    const rows = xlsxRow(1, '<c r="A1" t="s"><v>0</v></c>', 'x_x0041_', 'a_x005F_x0041_');
    expect((await read({ rows }, { shared: ['<t>uno_x000D_dos</t>'] })).text).toBe('Hoja\n\nuno dos | xA | a_x0041_');
  });
});

describe('what a cell shows beyond its value', () => {
  it('a text stands in the format of its cell', async () => {
    const rows = xlsxRow(1, '<c r="A1" s="4" t="inlineStr"><is><t>AB-7</t></is></c>');
    expect((await read({ rows }, { formats: ['0;-0;0;"Ref. "@'] })).text).toBe('Hoja\n\nRef. AB-7');
  });
  it('a day of the strict form stands without a time that it does not have', async () => {
    const rows = xlsxRow(
      1,
      '<c r="A1" t="d"><v>2024-03-05T00:00:00</v></c>',
      '<c r="B1" t="d"><v>2024-03-05T10:30:00</v></c>',
    );
    expect((await read({ rows })).text).toBe('Hoja\n\n2024-03-05 | 2024-03-05 10:30:00');
  });
  it('running headers stand once a workbook, without colours and numbers of pages', async () => {
    const header = '&amp;C&amp;"Arial,Bold"&amp;14&amp;K01+000Fundación R&amp;&amp;D&amp;RPágina &amp;P de &amp;N';
    const sheet = (name: string): SheetContent => ({
      name,
      rows: xlsxRow(1, 'x'),
      tail: `<headerFooter><oddHeader>${header}</oddHeader></headerFooter>`,
    });
    const { document } = await readWith(reader, workbookFile([sheet('Uno'), sheet('Dos')], {}));
    expect(document.text).toBe('Uno\n\nx\n\nFundación R&D\n\nDos\n\nx');
  });
});

describe('formulas without a value', () => {
  it('sums over cells, formulas and other sheets are evaluated in the format of their cell', async () => {
    const first: SheetContent = {
      name: 'Obra',
      rows:
        xlsxRow(1, 'Partida', 'Importe') +
        xlsxRow(2, 'Caldera', 1200) +
        xlsxRow(3, 'Tubos', formula('B3', 'Base!A1*3')) +
        xlsxRow(4, 'Total', '<c r="B4" s="4"><f>SUM(B2:B3)</f></c>'),
    };
    const base: SheetContent = { name: 'Base', rows: xlsxRow(1, 115) };
    const { document } = await readWith(reader, workbookFile([first, base], { formats: ['#,##0.00'] }));
    expect(tablesOf(document)[0]?.rows).toEqual(['Caldera | 1200', 'Tubos | 345', 'Total | 1,545.00']);
  });
  it('a formula beyond arithmetic stands as it is, a cycle too', async () => {
    const rows = xlsxRow(1, 'a', formula('B1', 'TODAY()')) + xlsxRow(2, 'b', formula('B2', 'B2+1'));
    expect((await read({ rows })).text).toBe('Hoja\n\na | =TODAY()\nb | =B2+1');
  });
  it('a formula whose value is an empty string shows nothing', async () => {
    const empty = '<c r="B1" t="str"><f>IFERROR(VLOOKUP(A1,D:E,2,0),"")</f><v></v></c>';
    const rows = xlsxRow(1, 'a', empty, 'c') + xlsxRow(2, 'd', formula('B2', '"x"&amp;B1&amp;"y"'));
    expect((await read({ rows })).text).toBe('Hoja\n\na |  | c\nd | xy');
  });
  it('a formula of a string that has no value at all is evaluated', async () => {
    const rows = xlsxRow(1, 'a', '<c r="B1" t="str"><f>"x"&amp;A1</f></c>');
    expect((await read({ rows })).text).toBe('Hoja\n\na | xa');
  });
  it('a row beyond the first ones is evaluated without repeating rows', async () => {
    const rows = Array.from({ length: 60 }, (_row, index) =>
      index === 50 ? xlsxRow(51, 'Total', formula('B51', 'SUM(B1:B50)')) : xlsxRow(index + 1, 'x', 2),
    ).join('');
    const { text } = await read({ rows });
    expect([text.match(/x \| 2/g)?.length, text.includes('Total | 100'), text.match(/Hoja/g)?.length]).toEqual([
      59,
      true,
      1,
    ]);
  });
  it('formulas over huge ranges end as formulas', async () => {
    const rows = Array.from({ length: 300 }, (_row, index) =>
      xlsxRow(index + 1, formula(`A${index + 1}`, 'SUM(B1:ZZ1048576)+SUM(C1:C50000)')),
    ).join('');
    expect((await read({ rows })).text).toContain('=SUM(B1:ZZ1048576)');
  });
});

describe('what a sheet shows besides its cells', () => {
  const parts = {
    'xl/comments1.xml': spreadsheetPart(
      'comments',
      '<commentList><comment ref="B2"><text><r><t>pendiente de auditoría</t></r></text></comment><comment ref="B1"><text><t>en euros</t></text></comment><comment ref="D9"><text><t>suelto</t></text></comment></commentList>',
    ),
    'xl/drawings/drawing1.xml': spreadsheetPart(
      'xdr:wsDr',
      '<xdr:sp><xdr:txBody><a:p><a:r><a:t>Criterio Bakaiku</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:graphicFrame><c:chart r:id="rId1"/></xdr:graphicFrame>',
    ),
    'xl/drawings/_rels/drawing1.xml.rels': relationsPart([['chart', '../charts/chart1.xml']]),
    'xl/charts/chart1.xml': spreadsheetPart(
      'c:chartSpace',
      `<c:chart><c:title><a:p><a:r><a:t>Visitas por sede</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>2025</c:v></c:tx>
       <c:cat><c:pt idx="0"><c:v>Olite</c:v></c:pt><c:pt idx="1"><c:v>Tafalla</c:v></c:pt></c:cat>
       <c:val><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>0.25</c:v></c:pt><c:pt idx="1"><c:v>0.75</c:v></c:pt></c:numCache></c:val></c:ser></c:chart>`,
    ),
  };
  const relations = [
    ['comments', '../comments1.xml'],
    ['drawing', '../drawings/drawing1.xml'],
  ] as const;

  it('comments stand with their cell, shapes and charts behind the table', async () => {
    const rows = xlsxRow(1, 'Mes', 'Préstamos') + xlsxRow(2, 'Enero', 1834);
    const document = await read(
      { rows, relations, tail: '<headerFooter><oddFooter>&amp;LArchivo Real&amp;R&amp;P</oddFooter></headerFooter>' },
      { parts },
    );
    expect(document.text.split('\n\n')).toEqual([
      'Hoja',
      'Mes | Préstamos\nEnero | 1834 (pendiente de auditoría)',
      'Préstamos: en euros',
      'D9: suelto',
      'Criterio Bakaiku',
      'Visitas por sede\n2025\nOlite | 25%\nTafalla | 75%',
      'Archivo Real',
    ]);
    expect(tablesOf(document)[0]?.header).toBe('Mes | Préstamos');
  });
  it('a thread of comments replaces the comment that stands in for it', async () => {
    const thread = `<?xml version="1.0"?><ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="B2"><text>¿Correcto?</text></threadedComment><threadedComment ref="B2"><text>Sí.</text></threadedComment></ThreadedComments>`;
    const document = await read(
      {
        rows: xlsxRow(1, 'Mes', 'Préstamos') + xlsxRow(2, 'Enero', 1834),
        relations: [...relations, ['threadedComment', '../threads.xml']],
      },
      { parts: { ...parts, 'xl/threads.xml': thread } },
    );
    expect(document.text).toContain('1834 (¿Correcto? / Sí.)');
    expect(document.text).not.toContain('auditoría');
  });
  it('a sheet with nothing but a shape is read', async () => {
    expect((await read({ relations: [['drawing', '../drawings/drawing1.xml']] }, { parts })).text).toMatch(
      /^Hoja\n\nCriterio Bakaiku/,
    );
  });
});
