import { encode } from 'iconv-lite';
import type { AcquiredFile } from '../../src/reader';
import { compoundFile } from './compound-file';
import { docFile, pptFile, pptRecord, pptShape, pptText, xlsFile, xlsRecord } from './legacy-files';
import {
  docxFile,
  paragraph,
  pptxFile,
  presentationPart,
  relationsPart,
  shape,
  wordPart,
  wordTable,
  workbookFile,
  xlsxFile,
} from './office-files';
import { emlFile, epubFile, openDocumentFile } from './open-files';
import { pdfFile, textPage } from './pdf-file';
import { linkedZip, overlappingZip, zeros, zipFile } from './zip-file';

const MEGABYTE = 1_000_000;

const file = (name: string, bytes: Buffer | string): AcquiredFile => ({ name, bytes: Buffer.from(bytes as string) });

const nested = (open: string, close: string, depth: number, inside = 'x'): string =>
  open.repeat(depth) + inside + close.repeat(depth);

/** Entities that would grow to a billion. */
const laughs = `<!DOCTYPE a [<!ENTITY a0 "ja">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
).join('')}]>`;

const outside = (path: string): string => `<!DOCTYPE a [<!ENTITY secret SYSTEM "file://${path}">]>`;

const mailIn = (depth: number): Buffer => {
  let mail = emlFile(['From: a@example.org', 'Subject: x'], 'hola');
  for (let level = 0; level < depth; level += 1)
    mail = emlFile(['From: a@example.org', `Subject: ${level}`, 'Content-Type: message/rfc822'], mail);
  return mail;
};

const zipIn = (depth: number): Buffer => {
  let inner = zipFile({ 'word/document.xml': zeros(MEGABYTE) });
  for (let level = 0; level < depth; level += 1) inner = zipFile({ 'word/document.xml': inner, 'a.zip': inner });
  return inner;
};

/** A PNG that claims this size and contains nothing. */
const emptyPng = (width: number, height: number): Buffer => {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000000000', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`word/${index}.xml`, 'x']));

const oneCell = (reference: string): string => `<row r="1"><c r="${reference}"><v>1</v></c></row>`;

const archives = (): AcquiredFile[] => [
  file('bomba-plana.docx', docxFile({ body: ' '.repeat(100 * MEGABYTE) })),
  file(
    'bomba-solapada.docx',
    overlappingZip({ 'word/document.xml': zeros(MEGABYTE), 'word/styles.xml': zeros(MEGABYTE) }),
  ),
  file('bomba-anidada.docx', zipIn(6)),
  file('bomba-entradas.docx', zipFile(many(25_000))),
  file('enlace.odt', linkedZip({ 'content.xml': '/etc/passwd', 'META-INF/manifest.xml': '/etc/passwd' })),
  file(
    'recorrido.docx',
    zipFile({ '../../../../tmp/fuera': 'x', 'word/../../../etc/passwd': 'x', '/etc/shadow': 'x' }),
  ),
  file('truncado.docx', docxFile({ body: paragraph('hola'.repeat(5_000)) }).subarray(0, 900)),
];

const trees = (canary: string): AcquiredFile[] => [
  file('risas.xml', `<?xml version="1.0"?>${laughs}<a>&a9;</a>`),
  file('risas.docx', docxFile({ body: paragraph('&a9;'), before: laughs })),
  file('fuera.xml', `<?xml version="1.0"?>${outside(canary)}<a>&secret;</a>`),
  file(
    'fuera.odt',
    openDocumentFile('text', '<text:p>x</text:p>', { entries: { 'content.xml': `${outside(canary)}<a>&secret;</a>` } }),
  ),
  file(
    'fuera.html',
    `<html><body><p>hola</p><iframe src="file://${canary}"></iframe><img src="file://${canary}"></body></html>`,
  ),
  file('hondo.json', nested('[', ']', 200_000)),
  file('hondo.xml', nested('<a>', '</a>', 200_000)),
  file('hondo.html', `<html><body>${nested('<div>', '</div>', 100_000)}</body></html>`),
  file('hondo-400.html', `<html><body>${nested('<div>', '</div>', 400)}</body></html>`),
  file('parrafos.html', `<html><body>${'<p>x</p>'.repeat(60_000)}</body></html>`),
  file('hondo.rtf', `{\\rtf1 ${nested('{', '}', 300_000)}}`),
  file('hondo.md', nested('> ', '', 100_000)),
  file(
    'tablas.docx',
    docxFile({ body: nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20_000, paragraph('x')) }),
  ),
];

const others = (): AcquiredFile[] => [
  file('diez-mil.pdf', pdfFile(Array.from({ length: 10_000 }, (_, index) => textPage(`Página ${index + 1}`)))),
  file(
    'circular.pdf',
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 9 /Kids [2 0 R] >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n',
  ),
  file(
    'indice-circular.pdf',
    pdfFile([textPage('hola')], {
      bookmarks: Array.from({ length: 3_000 }, (_, index) => ({ title: `Punto ${index}`, page: 0 })),
      bookmarksLoop: true,
    }),
  ),
  file(
    'notas.pdf',
    pdfFile([
      { ...textPage('hola'), notes: Array.from({ length: 5_000 }, () => ({ kind: 'Text', contents: 'n'.repeat(99) })) },
    ]),
  ),
  file(
    'sin-letras.pdf',
    pdfFile([{ texts: [{ text: 'Las compuertas de la presa '.repeat(5), x: 50, y: 90, isUnnamed: true }] }]),
  ),
  file('poliglota.pdf', Buffer.concat([docxFile({ body: paragraph('hola') }), pdfFile([textPage('hola')])])),
  file('falso.txt', pdfFile([textPage('hola')])),
  file('nulos.txt', Buffer.alloc(2 * MEGABYTE)),
  file('hueco.log', Buffer.concat([Buffer.from('antes\n'), Buffer.alloc(MEGABYTE), Buffer.from('después\n')])),
  file('ancho.txt', encode('Все люди рождаются свободными.\n'.repeat(1_000), 'utf32be')),
  file('sueltos.json', '{"a":"\\ud800\\udc00\\ud800 x \\u0000"}'),
  file('linea.txt', 'a'.repeat(20 * MEGABYTE)),
  file('linea.csv', `"${'a,'.repeat(5 * MEGABYTE)}`),
  file('cebo.txt', `${' '.repeat(200_000)}!\n${'a'.repeat(200_000)}!\n${'-'.repeat(200_000)}`),
  file('cebo.md', `${'*_'.repeat(100_000)}\n${'['.repeat(100_000)}\n${'`'.repeat(100_001)}\n${'| '.repeat(100_000)}`),
  file(
    'cebo.html',
    `<html><body><p>${'<!--'.repeat(50_000)}${'&'.repeat(100_000)}${'<'.repeat(100_000)}</p></body></html>`,
  ),
  file('imagen.png', emptyPng(60_000, 60_000)),
  file('hojas.xlsx', xlsxFile([{ name: 'a', rows: oneCell('XFD1048576').repeat(2_000) }])),
  file('celdas.docx', docxFile({ body: wordTable([Array.from({ length: 20_000 }, () => 'x')]) })),
  file('correos.eml', mailIn(60)),
  file('libro.epub', epubFile([{ name: '../../../etc/passwd', page: '<p>x</p>' }])),
];

/** A compound file whose allocation table leads back to a sector of the same chain. */
const looped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  const table = (copy.readUInt32LE(76) + 1) * 512;
  for (let sector = 2; sector < 40; sector += 1) copy.writeUInt32LE(2, table + sector * 4);
  return copy;
};

const encryptedDoc = (): Buffer => docFile({ body: 'hola', change: (main) => main.writeUInt16LE(0x0300, 10) });

const oldWord = (): AcquiredFile[] => [
  file('viejo-cifrado.doc', encryptedDoc()),
  file('viejo-truncado.doc', docFile({ body: 'hola'.repeat(500) }).subarray(0, 5_000)),
  file('viejo-circular.doc', looped(docFile({ body: 'hola' }))),
  file('viejo-piezas.doc', docFile({ body: 'hola', change: (_main, table) => table.writeUInt32LE(0xfffffff0, 1) })),
  file('viejo-largo.doc', docFile({ body: 'hola', change: (main) => main.writeUInt32LE(0x7fffffff, 0x4c) })),
  file('viejo-estilos.doc', docFile({ body: 'hola', change: (main) => main.writeUInt32LE(0xfffffffc, 0x106) })),
  file('viejo-marcas.doc', docFile({ body: 'hola', change: (main) => main.writeUInt32LE(0xffffffff, 0x146) })),
];

const oldExcel = (): AcquiredFile[] => [
  file('viejo-truncado.xls', xlsFile([['hola', 1]]).subarray(0, 1_200)),
  file('viejo-circular.xls', looped(xlsFile([['hola', 1]]))),
  file('viejo-registros.xls', compoundFile({ Workbook: Buffer.alloc(20_000, 0xff) })),
  file(
    'viejo-cuadros.xls',
    compoundFile({
      Workbook: Buffer.concat([
        xlsRecord(0x809, Buffer.from([0, 6, 5, 0])),
        ...Array.from({ length: 50_000 }, () => xlsRecord(0x1b6, Buffer.alloc(12, 0xff))),
      ]),
    }),
  ),
  file('viejo-repetido.xls', compoundFile({ Workbook: Buffer.alloc(2 * MEGABYTE) })),
  file('bomba.xlsb', zipFile({ 'xl/workbook.bin': zeros(150 * MEGABYTE) })),
  file('falso.xlsb', zipFile({ '[Content_Types].xml': '<Types/>', 'xl/workbook.bin': 'hola' })),
  file(
    'risas.xls',
    `<?xml version="1.0"?>${laughs}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">&a9;</Workbook>`,
  ),
];

const deepRecords = (depth: number): Buffer => {
  let record = pptShape([pptText('hola')]);
  for (let level = 0; level < depth; level += 1) record = pptRecord(0xf002, record, { container: true });
  return record;
};

/** Overwrites the number at a place that counts from the end of a stream. */
const patched = (stream: Buffer, fromEnd: number, value: number): Buffer => {
  stream.writeUInt32LE(value, stream.length - fromEnd);
  return stream;
};

const oldPowerPoint = (): AcquiredFile[] => {
  const slide = { shapes: [pptShape([pptText('hola')])] };
  return [
    file('viejo-cifrado.ppt', pptFile([slide], { encrypted: true })),
    file('viejo-truncado.ppt', pptFile([slide]).subarray(0, 2_000)),
    // The last edit names itself as the one before it.
    file('viejo-circular.ppt', pptFile([slide], { change: (stream) => patched(stream, 20, stream.length - 36) })),
    file('viejo-sin-directorio.ppt', pptFile([slide], { change: (stream) => patched(stream, 16, 0x7fffffff) })),
    file('viejo-hondo.ppt', pptFile([{ shapes: [deepRecords(5_000)] }])),
    file('viejo-vacios.ppt', pptFile([{ shapes: [Buffer.alloc(20 * MEGABYTE)] }])),
  ];
};

const selfContained = (): Buffer => {
  let inner = docxFile({ body: paragraph('hola') });
  for (let level = 0; level < 12; level += 1)
    inner = docxFile({
      body: '<w:altChunk r:id="rId4"/>',
      relations: [['aFChunk', 'a.docx']],
      entries: { 'word/a.docx': inner },
    });
  return inner;
};

const cyclicLayouts = (): Buffer => {
  const relations = [['slideLayout', '../slideLayouts/a.xml']] as const;
  return pptxFile([{ shapes: shape('body', 'hola'), relations }], false, {
    'ppt/slideLayouts/a.xml': presentationPart('sldLayout', ''),
    'ppt/slideLayouts/_rels/a.xml.rels': relationsPart([['slideMaster', 'a.xml']]),
  });
};

const calculating = (formula: (row: number) => string, rows: number): Buffer =>
  xlsxFile([
    {
      name: 'a',
      rows: Array.from(
        { length: rows },
        (_row, index) => `<row r="${index + 1}"><c><f>${formula(index + 1)}</f></c></row>`,
      ).join(''),
    },
  ]);

const WORD_2010 = 'http://schemas.microsoft.com/office/word/2010/wordml';
const WORD_2012 = 'http://schemas.microsoft.com/office/word/2012/wordml';

/** Boxes of a diagram, each above the next one, the last above the first. */
const circularDiagram = (boxes: number): string =>
  wordPart(
    'dataModel',
    Array.from(
      { length: boxes },
      (_box, index) =>
        `<dgm:pt modelId="${index}"><dgm:t><a:p><a:r><a:t>caja</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:cxn srcId="${index}" destId="${(index + 1) % boxes}"/>`,
    ).join(''),
  );

/** Comments that answer each other in a circle. */
const circularComments = (comments: number): Record<string, string> => {
  const ids = Array.from({ length: comments }, (_comment, index) => index);
  return {
    'word/comments.xml': wordPart(
      'comments',
      ids
        .map(
          (id) =>
            `<w:comment w:id="${id}"><w:p xmlns:w14="${WORD_2010}" w14:paraId="${id}"><w:r><w:t>nota</w:t></w:r></w:p></w:comment>`,
        )
        .join(''),
    ),
    'word/replies.xml': `<w15:commentsEx xmlns:w15="${WORD_2012}">${ids
      .map((id) => `<w15:commentEx w15:paraId="${id}" w15:paraIdParent="${(id + 1) % comments}"/>`)
      .join('')}</w15:commentsEx>`,
  };
};

const circularStyles =
  '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>';

const shownParts = (): AcquiredFile[] => [
  file(
    'diagrama-circular.docx',
    docxFile({
      body: `${paragraph('hola')}<w:p><w:r><dgm:relIds r:dm="rId4"/></w:r></w:p>`,
      relations: [['diagramData', 'd.xml']],
      entries: { 'word/d.xml': circularDiagram(5_000) },
    }),
  ),
  file(
    'respuestas-circulares.docx',
    docxFile({
      body: paragraph('hola'),
      relations: [
        ['comments', 'comments.xml'],
        ['commentsExtended', 'replies.xml'],
      ],
      entries: circularComments(2_000),
    }),
  ),
  file(
    'estilos-circulares.docx',
    docxFile({ body: paragraph('hola', '<w:pStyle w:val="A"/>').repeat(2_000), styles: circularStyles }),
  ),
  file(
    'columnas.docx',
    docxFile({
      body: `<w:tbl>${`<w:tr><w:trPr><w:gridBefore w:val="999999999"/></w:trPr><w:tc>${paragraph('x')}</w:tc></w:tr>`.repeat(500)}</w:tbl>`,
    }),
  ),
  file(
    'propiedades.doc',
    docFile({
      body: 'hola',
      change: (main, table) => {
        main.writeUInt32LE(0, 0xfa);
        main.writeUInt32LE(0xfffffff0, 0xfe);
        table.fill(0xff, 2_048);
      },
    }),
  ),
  file(
    'formato-texto.xlsx',
    workbookFile([{ name: 'a', rows: '<row r="1"><c s="4" t="inlineStr"><is><t>hola</t></is></c></row>' }], {
      formats: ['@'.repeat(50_000)],
    }),
  ),
];

/** A code with many fields that hardly packs: one that packs well is refused as a bomb. */
const manyDays = Array.from({ length: 100_000 }, (_day, index) => `d${index}`).join('');

const officeParts = (): AcquiredFile[] => [
  file('anidado.docx', selfContained()),
  file(
    'objeto-circular.docx',
    docxFile({
      body: paragraph('hola'),
      relations: [['oleObject', 'a.bin']],
      entries: { 'word/a.bin': looped(docFile({ body: 'hola' })) },
    }),
  ),
  file(
    'cabecera-bomba.docx',
    docxFile({
      body: paragraph('hola'),
      relations: [['header', 'h.xml']],
      entries: { 'word/h.xml': ' '.repeat(100 * MEGABYTE) },
    }),
  ),
  file(
    'ausente.docx',
    docxFile({
      body: paragraph('hola'),
      relations: [
        ['header', 'h.xml'],
        ['chart', 'c.xml'],
        ['comments', 'm.xml'],
      ],
    }),
  ),
  file('mandos.pptx', cyclicLayouts()),
  file(
    'cadena.xlsx',
    calculating((row) => `A${row + 1}+1`, 5_000),
  ),
  file(
    'circulo.xlsx',
    calculating(() => 'SUM(A1:A500)', 500),
  ),
  file(
    'parentesis.xlsx',
    calculating(() => '('.repeat(1_900), 100),
  ),
  file(
    'formato.xlsx',
    workbookFile([{ name: 'a', rows: '<row r="1"><c s="4"><v>1</v></c></row>' }], {
      formats: ['0'.repeat(50_000), '#'.repeat(400)],
    }),
  ),
  file(
    'formato-fecha.xlsx',
    workbookFile([{ name: 'a', rows: '<row r="1"><c s="4"><v>45000</v></c></row>' }], {
      formats: Array.from({ length: 12 }, () => manyDays),
    }),
  ),
  file('archivo.docx', zipFile({ 'acta.txt': 'hola' })),
];

/** Files that were made to do harm. @param canary path of a file outside whose content must appear nowhere */
export const hostileFiles = (canary: string): AcquiredFile[] => [
  ...archives(),
  ...trees(canary),
  ...others(),
  ...oldWord(),
  ...oldExcel(),
  ...oldPowerPoint(),
  ...officeParts(),
  ...shownParts(),
];
