import type { AcquiredFile } from '../../src/reader';
import { docFile, docRow, pptFile, pptShape, pptText, xlsFile } from './legacy-files';
import { msgFile } from './msg-file';
import { docxFile, paragraph, pptxFile, shape, wordTable, xlsxFile, xlsxRow } from './office-files';
import { emlFile, epubFile, mixedMail, openDocumentFile } from './open-files';
import { column, pdfFile, textPage } from './pdf-file';

const prose =
  'La junta aprueba las cuentas del ejercicio y acuerda repartir un dividendo. El consejo dará cuenta de ello en mayo.';
const words = prose.split(' ');
const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index + 1} ${words.slice(index % 7, (index % 7) + 10).join(' ')}`);

/** A PDF as an office makes them: a running head, two columns or one, a number at the foot. */
export const bookPdf = (pages: number): Buffer =>
  pdfFile(
    Array.from({ length: pages }, (_, index) => ({
      texts: [
        { text: 'Memoria anual', x: 50, y: 40 },
        ...(index % 3 === 0
          ? [...column(lines(40), { size: 7 }), ...column(lines(40), { x: 320, size: 7 })]
          : column(lines(48))),
        { text: String(index + 1), x: 290, y: 810 },
      ],
    })),
    { title: 'Memoria anual', author: 'Ana Gil' },
  );

const file = (name: string, bytes: Buffer | string): AcquiredFile => ({ name, bytes: Buffer.from(bytes as string) });

const grid = [
  ['Concepto', 'Importe'],
  ['Alquiler', '1.200'],
];

/** One ordinary file of every format. */
export const samples = (): AcquiredFile[] => [
  file('memoria.pdf', bookPdf(3)),
  file('con-adjunto.pdf', pdfFile([textPage(prose)], { attachments: [{ name: 'a.txt', bytes: Buffer.from(prose) }] })),
  file('acta.docx', docxFile({ body: paragraph(prose) + wordTable(grid), facts: true })),
  file('plan.pptx', pptxFile([{ shapes: shape('title', 'Plan') + shape('body', prose), notes: 'Notas' }], true)),
  file('cuentas.xlsx', xlsxFile([{ name: 'Cuentas', rows: xlsxRow(1, 'Mes', 1) + xlsxRow(2, 'enero', 2.5) }])),
  file(
    'acta.doc',
    docFile({ body: `Acta\r${docRow('Mes', 'Importe')}${docRow('enero', '12')}${prose}`, header: 'Archivo' }),
  ),
  file(
    'cuentas.xls',
    xlsFile([
      ['Mes', 'Importe'],
      ['enero', 2.5],
    ]),
  ),
  file('plan.ppt', pptFile([{ shapes: [pptShape([pptText('Plan', 0), pptText(prose)])], notes: 'Notas' }])),
  file('acta.odt', openDocumentFile('text', `<text:h text:outline-level="1">Acta</text:h><text:p>${prose}</text:p>`)),
  file('acta.rtf', `{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0 ${prose}\\par\\trowd a\\cell b\\cell\\row}`),
  file('libro.epub', epubFile([{ name: 'uno.xhtml', page: `<h1>Uno</h1><p>${prose}</p>` }])),
  file(
    'pagina.html',
    `<!DOCTYPE html><html><head><title>Acta</title></head><body><main><p>${prose}</p></main></body></html>`,
  ),
  file('notas.md', `# Acta\n\n${prose}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`),
  file('notas.txt', lines(20).join('\n')),
  file('datos.csv', 'mes;importe\nenero;1,5\n"feb;rero";2\n'),
  file('datos.json', JSON.stringify({ titulo: 'Acta', puntos: [prose, { orden: 1 }] })),
  file('datos.xml', `<?xml version="1.0"?><acta fecha="2024"><punto>${prose}</punto></acta>`),
  file('correo.eml', emlFile(['From: ana@example.org', 'Subject: Acta'], prose)),
  file(
    'adjuntos.eml',
    mixedMail(['From: ana@example.org', 'Subject: Acta'], [{ headers: ['Content-Type: text/plain'], body: prose }]),
  ),
  file(
    'correo.msg',
    msgFile({ subject: 'Acta', body: prose, attachments: [{ name: 'a.txt', bytes: Buffer.from(prose) }] }),
  ),
];
