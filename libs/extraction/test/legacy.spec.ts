import { DamagedFile, LimitExceeded, PasswordProtected, UnsupportedFile } from '../src/errors';
import { detectFormat } from '../src/formats-detection';
import { DocReader, PptReader, XlsReader } from '../src/readers/legacy';
import { compoundFile } from './support/compound-file';
import {
  docFile,
  docRow,
  markedRuns,
  pptFile,
  pptRecord,
  pptShape,
  pptText,
  xlsFile,
  withRecords,
  xlsRecord,
} from './support/legacy-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';
import { zeros, zipFile } from './support/zip-file';

const word = new DocReader();
const excel = new XlsReader();
const powerPoint = new PptReader();

describe('a Word document of before 2007', () => {
  it('has its paragraphs, quotes and accents as they are written', async () => {
    const { document } = await readWith(word, docFile({ body: 'Acta «única»\rSesión — de hoy' }));
    expect([document.text, document.title]).toEqual(['Acta «única»\n\nSesión — de hoy', 'Acta «única»']);
  });
  it('has its tables', async () => {
    const body = `antes\r${docRow('Mes', 'Importe')}${docRow('enero', '12')}${docRow('febrero', '15')}después`;
    const { document } = await readWith(word, docFile({ body }));
    expect(document.text).toBe('antes\n\nMes | Importe\nenero | 12\nfebrero | 15\n\ndespués');
    expect(tablesOf(document)).toMatchObject([{ header: 'Mes | Importe', rows: ['enero | 12', 'febrero | 15'] }]);
  });
  it('has headers and footers once, notes and comments', async () => {
    const content = {
      body: 'Cuerpo',
      header: 'Archivo Real',
      footer: 'Registro 88214',
      footnotes: 'Véase el anexo',
      comments: '¿Seguro?',
    };
    const { document } = await readWith(word, docFile(content));
    expect(document.text).toBe('Archivo Real\n\nCuerpo\n\nVéase el anexo\n\n¿Seguro?\n\nRegistro 88214');
    expect(document.title).toBe('Cuerpo');
  });
  it('leaves hidden and deleted text out, and text of no other property', async () => {
    const body = 'uno SECRETO dos BORRADO tres VISTO fin';
    const marks = { SECRETO: 0x083c, BORRADO: 0x0800, VISTO: 0x4a60 };
    const { document } = await readWith(word, docFile({ body, change: markedRuns(body, marks) }));
    expect(document.text).toBe('uno  dos  tres VISTO fin');
  });
  it('keeps hyphens that never break a line', async () => {
    expect((await readWith(word, docFile({ body: 'Ref. A\u001e7' }))).document.text).toBe('Ref. A-7');
  });
  it.each([
    ['is encrypted', docFile({ body: 'x', change: (main) => main.writeUInt16LE(0x0300, 10) }), PasswordProtected],
    ['is of Word 95', docFile({ body: 'x', change: (main) => main.writeUInt16LE(0xa5dc, 0) }), UnsupportedFile],
    ['is cut', docFile({ body: 'x' }).subarray(0, 3_000), DamagedFile],
    ['has no text stream', compoundFile({ Otro: Buffer.alloc(10) }), DamagedFile],
    [
      'lies about its pieces',
      docFile({ body: 'x', change: (_main, table) => table.writeUInt32LE(0xfffffff0, 1) }),
      DamagedFile,
    ],
  ])('that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(readWith(word, bytes)).rejects.toThrow(refusal);
  });
});

describe('a workbook of before 2007', () => {
  it('has text boxes and running headers behind its cells, and no comment twice', async () => {
    const header = (text: string): Buffer =>
      Buffer.concat([Buffer.from([text.length, 0, 0]), Buffer.from(text, 'latin1')]);
    const box = (kind: number, text: string): Buffer[] => [
      xlsRecord(0x5d, Buffer.from([0x15, 0, 0x12, 0, kind, 0])),
      xlsRecord(0x1b6, Buffer.alloc(10), Buffer.from([text.length, 0])),
      xlsRecord(0x3c, Buffer.from([1]), Buffer.from(text.slice(0, 4), 'utf16le')),
      xlsRecord(0x3c, Buffer.from([0]), Buffer.from(text.slice(4), 'latin1')),
    ];
    const records = [
      xlsRecord(0x14, header('&LArchivo R&&D&R&P')),
      xlsRecord(0x15, header('&CExp. 77')),
      ...box(6, 'Criterio Bakaiku'),
      ...box(0x19, 'pendiente'),
    ];
    const bytes = withRecords(xlsFile([['x']]), records);
    expect((await readWith(excel, bytes)).document.text.split('\n\n')).toEqual([
      'Hoja',
      'x',
      'Criterio Bakaiku',
      'Archivo R&D',
      'Exp. 77',
    ]);
  });
  it('shows its errors by their names', async () => {
    const bytes = xlsFile([['a', 1]], { errors: { A1: 0x07, B1: 0x2a } });
    expect((await readWith(excel, bytes)).document.text).toBe('Hoja\n\n#DIV/0! | #N/A');
  });
  const rows = [
    ['Centro', 'Código', 'Cuota'],
    ['Sants', 8028, 0.125],
    ['Ávila', 5001, 1234.5],
  ];
  it.each(['biff8', 'xlsb', 'xlml'] as const)('in the form %s shows its cells in their formats', async (kind) => {
    const bytes = xlsFile(rows, { kind, formats: { B2: '00000', B3: '00000', C2: '0.0%', C3: '#,##0.00 "€"' } });
    expect(tablesOf((await readWith(excel, bytes)).document)).toEqual([
      {
        title: 'Hoja',
        header: 'Centro | Código | Cuota',
        rows: ['Sants | 08028 | 12.5%', 'Ávila | 05001 | 1.234,50 €'],
      },
    ]);
  });
  it('shows dates, durations and comments', async () => {
    const bytes = xlsFile([['a', 45356, 1.25]], {
      kind: 'xlsb',
      formats: { B1: 'dd/mm/yyyy', C1: '[h]:mm' },
      notes: { A1: 'pendiente' },
    });
    expect((await readWith(excel, bytes)).document.text).toBe(
      'Hoja\n\na (pendiente) | 05/03/2024 (2024-03-05) | 30:00',
    );
  });
  it.each(['biff2', 'biff5'] as const)('of an early version (%s) is read', async (kind) => {
    expect((await readWith(excel, xlsFile([['uno', 2]], { kind }))).document.text).toContain('uno | 2');
  });
  it.each([
    ['is cut', xlsFile(rows).subarray(0, 1_000), DamagedFile],
    ['inflates without measure', zipFile({ 'xl/workbook.bin': zeros(60_000_000) }), LimitExceeded],
    ['has no workbook', compoundFile({ Otro: Buffer.alloc(5_000) }), DamagedFile],
  ])('that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(readWith(excel, bytes)).rejects.toThrow(refusal);
  });
});

describe('a presentation of before 2007', () => {
  it('has a page a slide, its title as heading, comments and notes, footers once', async () => {
    const slides = [
      {
        shapes: [pptShape([pptText('punto\rotro → más')]), pptShape([pptText('Resultados', 0)])],
        notes: 'saludar',
        comment: 'falta la fuente',
      },
      { shapes: [pptShape([pptText('Cierre', 0)]), pptShape([pptText('*')], 8)] },
    ];
    const { document } = await readWith(powerPoint, pptFile(slides, { footer: 'Archivo Real' }));
    expect(pagesOf(document)).toEqual([
      '1: Resultados\n\npunto\n\notro → más\n\nfalta la fuente\n\nsaludar\n\nArchivo Real',
      '2: Cierre',
    ]);
    expect(headingsOf(document)).toEqual(['1 Resultados', '1 Cierre']);
  });
  it('has the texts that the document lists for a slide, once', async () => {
    const reference = pptRecord(3_998, Buffer.from([0, 0, 0, 0]));
    const slides = [
      { shapes: [pptShape([reference])], outline: [pptText('Plan', 0)] },
      { shapes: [], outline: [pptText('Presupuesto', 0), pptText('doce euros')] },
    ];
    expect(pagesOf((await readWith(powerPoint, pptFile(slides))).document)).toEqual([
      '1: Plan',
      '2: Presupuesto\n\ndoce euros',
    ]);
  });
  it('counts slides without text in page numbers', async () => {
    const slides = [{ shapes: [] }, { shapes: [pptShape([pptText('x')])] }];
    expect(pagesOf((await readWith(powerPoint, pptFile(slides))).document)).toEqual(['2: x']);
  });
  it.each([
    ['is encrypted', pptFile([{ shapes: [] }], { encrypted: true }), PasswordProtected],
    ['is cut', pptFile([{ shapes: [pptShape([pptText('x')])] }]).subarray(0, 1_500), DamagedFile],
    [
      'has lost its directory',
      pptFile([{ shapes: [] }], { change: (stream) => Buffer.alloc(stream.length) }),
      DamagedFile,
    ],
  ])('that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(readWith(powerPoint, bytes)).rejects.toThrow(refusal);
  });
});

describe('files under the name of an old format', () => {
  it.each([
    ['HTML', 'a.xls', '<html><body><table><tr><td>x</td></tr></table></body></html>', 'html'],
    ['a fragment of HTML', 'a.xls', '<table><tr><td>x</td></tr></table>', 'html'],
    ['HTML in UTF-16', 'a.doc', Buffer.from('\ufeff<html><body>x</body></html>', 'utf16le'), 'html'],
    ['RTF', 'a.doc', '{\\rtf1 x}', 'rtf'],
    ['text with tabs', 'a.xls', 'a\tb\n1\t2', 'csv'],
    ['plain text', 'a.doc', 'hola', 'text'],
    ['XML of Word 2003', 'a.doc', '<?xml version="1.0"?><w:wordDocument/>', 'xml'],
    ['a workbook in XML', 'a.xls', xlsFile([['x']], { kind: 'xlml' }), 'xls'],
    ['an old document', 'a.docx', docFile({ body: 'x' }), 'doc'],
    ['an old workbook', 'a.doc', xlsFile([['x']]), 'xls'],
    ['a binary workbook', 'a.xlsx', xlsFile([['x']], { kind: 'xlsb' }), 'xls'],
    ['an old presentation', 'a.pdf', pptFile([{ shapes: [] }]), 'ppt'],
    ['a template', 'a.dot', docFile({ body: 'x' }), 'doc'],
  ])('%s called %s is read by its content', async (_what, name, bytes, reader) => {
    expect((await detectFormat({ name, bytes: Buffer.from(bytes as string) })).reader).toBe(reader);
  });
});
