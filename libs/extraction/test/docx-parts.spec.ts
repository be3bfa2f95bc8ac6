import { LimitExceeded } from '../src/errors';
import { DocxReader } from '../src/readers/office';
import { compoundFile, packedObject } from './support/compound-file';
import {
  chartPart,
  docxFile,
  type DocxContent,
  FACTS,
  paragraph,
  spreadsheetPart,
  wordPart,
  wordTable,
} from './support/office-files';
import { readWith, tablesOf } from './support/reading';
import { pdfFile, textPage } from './support/pdf-file';

const reader = new DocxReader();
const extract = (content: DocxContent) => readWith(reader, docxFile(content));
const read = async (content: DocxContent) => (await extract(content)).document;

const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;

describe('headers and footers of a Word document', () => {
  const relations = [
    ['header', 'header1.xml'],
    ['header', 'header2.xml'],
    ['footer', 'footer1.xml'],
  ] as const;
  const entries = {
    'word/header1.xml': wordPart('hdr', paragraph('Fundación Araucaria · Ref. FAB-7')),
    'word/header2.xml': wordPart('hdr', paragraph('Fundación Araucaria · Ref. FAB-7') + paragraph('Copia')),
    'word/footer1.xml': wordPart('ftr', paragraph('Registro 88214') + paragraph('Página 1 de 3')),
  };
  it('stand once, around the body, without page numbers', async () => {
    const document = await read({ body: paragraph('Le comunicamos') + paragraph('Un saludo'), relations, entries });
    expect(document.text).toBe(
      'Fundación Araucaria · Ref. FAB-7\n\nCopia\n\nLe comunicamos\n\nUn saludo\n\nRegistro 88214',
    );
    expect(document.title).toBe('Le comunicamos');
  });
  it('a letterhead in a table is read', async () => {
    const table = { 'word/header1.xml': wordPart('hdr', wordTable([['Archivo Real', 'Tel. 948 55']])) };
    const document = await read({ body: paragraph('x'), relations: relations.slice(0, 1), entries: table });
    expect([document.text, document.tables]).toEqual(['Archivo Real | Tel. 948 55\n\nx', []]);
  });
  it('a document with nothing but a header has its text', async () => {
    expect(await read({ body: '', relations, entries, facts: true })).toMatchObject({ title: FACTS.title });
    expect((await read({ body: '', relations, entries })).title).toBe('Fundación Araucaria · Ref. FAB-7');
  });
});

describe('what a Word document shows besides its paragraphs', () => {
  it('comments follow the block that they are about, with their author', async () => {
    const comments = `<w:comment w:id="4" w:author="Ana Gil">${paragraph('¿Seguro?')}</w:comment>`;
    const body = `<w:p>${run('El plazo es de un mes.')}<w:r><w:commentReference w:id="4"/></w:r></w:p>${paragraph('Fin')}`;
    const entries = { 'word/comments.xml': wordPart('comments', comments) };
    const document = await read({ body, relations: [['comments', 'comments.xml']], entries });
    expect(document.text).toBe('El plazo es de un mes.\n\nAna Gil: ¿Seguro?\n\nFin');
  });
  it('charts and diagrams follow the paragraph that shows them', async () => {
    const body = `<w:p>${run('Véase')}<w:r><c:chart r:id="rId4"/></w:r></w:p><w:p><w:r><dgm:relIds r:dm="rId5"/></w:r></w:p>${paragraph('Fin')}`;
    const entries = {
      'word/charts/chart1.xml': chartPart('Visitas', '2025', { Olite: 12, Tafalla: 7 }),
      'word/diagrams/data1.xml': spreadsheetPart(
        'a:x',
        '<a:p><a:r><a:t>Recibir</a:t></a:r></a:p><a:p><a:r><a:t>Resolver</a:t></a:r></a:p>',
      ),
    };
    const relations = [
      ['chart', 'charts/chart1.xml'],
      ['diagramData', 'diagrams/data1.xml'],
    ] as const;
    const { text } = await read({ body, relations, entries });
    expect(text.split('\n\n')).toEqual(['Véase', 'Visitas\n2025\nOlite | 12\nTafalla | 7', 'Fin', 'Recibir\nResolver']);
  });
  it('text boxes of old drawings, content controls and canvases are read once', async () => {
    const box = `<w:r><w:pict><w:txbxContent>${paragraph('Nota antigua')}</w:txbxContent></w:pict></w:r>`;
    const control = `<w:sdt><w:sdtContent>${run('Signatura 27')}</w:sdtContent></w:sdt>`;
    const canvas = '<w:r><a:p><a:r><a:t>En el lienzo</a:t></a:r></a:p></w:r>';
    const { text } = await read({ body: `<w:p>${box}${control}${canvas}</w:p>` });
    expect(text).toBe('Nota antigua\n\nSignatura 27\nEn el lienzo');
  });
  it('files that are parts of the text are read in their place', async () => {
    const body = `${paragraph('antes')}<w:altChunk r:id="rId4"/><w:altChunk r:id="rId5"/>${paragraph('después')}`;
    const relations = [
      ['aFChunk', 'a.rtf'],
      ['aFChunk', 'b.docx'],
    ] as const;
    const entries = {
      'word/a.rtf': "{\\rtf1\\ansi Cl\\'e1usula a\\'f1adida}",
      'word/b.docx': docxFile({
        body: wordTable([
          ['Mes', 'Importe'],
          ['enero', '5'],
        ]),
      }),
    };
    expect((await read({ body, relations, entries })).text).toMatch(
      /^antes\n\nCláusula añadida\n\nMes \| Importe\nenero \| 5\n\ndespués$/,
    );
  });
  it('a part that cannot be read costs the document nothing else', async () => {
    const relations = [['aFChunk', 'a.bin']] as const;
    const body = `${paragraph('antes')}<w:altChunk r:id="rId4"/>`;
    expect((await read({ body, relations, entries: { 'word/a.bin': Buffer.from([0, 1, 2, 3]) } })).text).toBe('antes');
  });
  it('files inside files without end are refused', async () => {
    let inner = docxFile({ body: paragraph('fin') });
    for (let level = 0; level < 8; level += 1)
      inner = docxFile({
        body: '<w:altChunk r:id="rId4"/>',
        relations: [['aFChunk', 'a.docx']],
        entries: { 'word/a.docx': inner },
      });
    await expect(readWith(reader, inner)).rejects.toThrow(LimitExceeded);
  });
  it('documents inside the document are attachments under their names', async () => {
    const pdf = pdfFile([textPage('plano')]);
    const { attachments, document } = await extract({
      body: paragraph('x'),
      relations: [
        ['package', 'embeddings/Hoja1.xlsx'],
        ['oleObject', 'embeddings/oleObject1.bin'],
        ['oleObject', 'embeddings/oleObject2.bin'],
        ['oleObject', 'embeddings/oleObject3.bin'],
        ['oleObject', 'embeddings/oleObject4.bin'],
      ],
      entries: {
        'word/embeddings/Hoja1.xlsx': Buffer.from('PK'),
        'word/embeddings/oleObject1.bin': packedObject('plano.pdf', pdf),
        'word/embeddings/oleObject2.bin': compoundFile({ CONTENTS: pdf }),
        'word/embeddings/oleObject3.bin': compoundFile({ 'Equation Native': Buffer.alloc(40) }),
        'word/embeddings/oleObject4.bin': packedObject('plano.pdf', pdf).subarray(0, 900),
      },
    });
    expect(attachments.map(({ name }) => name)).toEqual([
      'Hoja1.xlsx',
      'plano.pdf',
      'oleObject2.pdf',
      'oleObject4.doc',
    ]);
    expect(attachments[1]?.bytes.equals(pdf)).toBe(true);
    expect(tablesOf(document)).toEqual([]);
  });
  it('several relations to one part are one attachment', async () => {
    const relations = Array.from({ length: 3 }, () => ['package', 'embeddings/Hoja1.xlsx'] as const);
    const entries = { 'word/embeddings/Hoja1.xlsx': Buffer.from('PK') };
    const { attachments, report } = await extract({ body: paragraph('x'), relations, entries });
    expect(attachments.map(({ name }) => name)).toEqual(['Hoja1.xlsx']);
    expect(report?.parts).toContainEqual({ kind: 'ATTACHMENT', counted: 1, read: 1, leftOut: [] });
  });
});
