import {
  docxFile,
  encryptedZip,
  epubFile,
  flatFile,
  mixedMail,
  msgFile,
  openDocumentFile,
  openOfficeFile,
  paragraph,
  pdfFile,
  pptxFile,
  renamedZip,
  shape,
  textPage,
  wordTable,
  xlsxFile,
  xlsxRow,
  zeros,
  zipFile,
} from '@acervo/extraction/testing';

/** A sentence that no other of these files contains. */
const about = (word: string): string => `La comunidad acuerda revisar la acequia de ${word} antes de la primavera.`;

export interface ReadableFile {
  readonly bytes: string | Uint8Array;
  /** A word that only this file contains. */
  readonly word: string;
  readonly page: number | null;
}

const of = (word: string, page: number | null, bytes: string | Uint8Array): ReadableFile => ({ word, page, bytes });

const table = [
  ['Parcela', 'Cultivo'],
  ['Norte', 'azafrán'],
];

const pages = Array.from({ length: 40 }, (_, index) =>
  textPage(index === 36 ? about('Villacampo') : `Hoja ${index + 1} sin nada que importe a nadie en este pueblo.`),
);

const calm = 'El resto del texto no dice nada de acequias y habla de otra cosa.';

const attached = {
  headers: ['Content-Type: text/plain; charset=utf-8', 'Content-Disposition: attachment; filename="informe.txt"'],
  body: about('Peñarroya'),
};

/** One file of each readable format, by name. */
export const everyFormat: Readonly<Record<string, ReadableFile>> = {
  'a.pdf': of('Villacampo', 37, pdfFile(pages)),
  'b.docx': of('Torrealta', null, docxFile({ body: paragraph(about('Torrealta')) + wordTable(table) })),
  'c.pptx': of(
    'Fuenteseca',
    2,
    pptxFile([{ shapes: shape('title', 'Orden del día') }, { shapes: shape('body', about('Fuenteseca')) }]),
  ),
  'd.xlsx': of(
    'Molinares',
    null,
    xlsxFile([{ name: 'Riego', rows: xlsxRow(1, 'Acequia', 'Metros') + xlsxRow(2, 'Molinares', 120) }]),
  ),
  'e.odt': of('Cañaveral', null, openDocumentFile('text', `<text:p>${about('Cañaveral')}</text:p>`)),
  'f.rtf': of('Robledal', null, `{\\rtf1\\ansi ${about('Robledal')}\\par}`),
  'e.fodt': of('Sotogrande', null, flatFile('text', `<text:p>${about('Sotogrande')}</text:p>`)),
  'e.sxw': of('Piedrahita', null, openOfficeFile('writer', `<text:p>${about('Piedrahita')}</text:p>`)),
  'g.epub': of('Hontanar', 1, epubFile([{ name: 'uno.xhtml', page: `<h1>Uno</h1><p>${about('Hontanar')}</p>` }])),
  'h.html': of(
    'Navalrosal',
    null,
    `<html><head><title>Acta</title><script>var no = 1</script></head><body><article><h1>Acta</h1><p>${about('Navalrosal')}</p><p>${calm}</p></article></body></html>`,
  ),
  'i.md': of('Valdeflores', null, `# Acta\n\n${about('Valdeflores')}\n`),
  'j.txt': of('Almazora', null, Buffer.from(`\ufeff${about('Almazora')}`, 'utf16le')),
  'k.csv': of('Tomillares', null, 'acequia;metros\nTomillares;200\nOtra;3\n'),
  'l.json': of('Encinarejo', null, JSON.stringify({ acta: { texto: about('Encinarejo') } })),
  'm.xml': of('Sotobañado', null, `<?xml version="1.0"?><acta><texto>${about('Sotobañado')}</texto></acta>`),
  'n.eml': of(
    'Carrascosa',
    null,
    mixedMail(
      ['From: Ana <ana@example.org>', 'Subject: Obras'],
      [{ headers: ['Content-Type: text/plain; charset=utf-8'], body: about('Carrascosa') }, attached],
    ),
  ),
  'o.msg': of('Pedrizas', null, msgFile({ subject: 'Obras', body: about('Pedrizas') })),
};

const doctype = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>';
const good = docxFile({ body: paragraph(about('Nadie')) });
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Files that are broken, or that attack their reader. */
export const hostileFiles: Readonly<Record<string, string | Uint8Array>> = {
  'bomb.docx': zipFile({ 'word/document.xml': zeros(300_000_000) }),
  'cut.docx': good.subarray(0, good.length / 2),
  'cut.pdf': pdfFile(pages).subarray(0, 300),
  'deep.json': '['.repeat(200_000),
  'deep.xml': '<a>'.repeat(100_000),
  'deep.html': `${'<div>'.repeat(100_000)}x`,
  'empty.pdf': '',
  'endless.txt': letters.repeat(4_000),
  'entities.docx': docxFile({ body: paragraph('&b;'), before: doctype }),
  'entities.xml': `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`,
  'locked.docx': encryptedZip({ 'word/document.xml': 'x', '[Content_Types].xml': 'x' }),
  'nul.txt': `uno\0dos ${letters}`,
  'noise.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(letters.repeat(2_000))]),
  'outside.docx': renamedZip(
    { 'word/document.xml': 'x', 'aaaaaaaaaaaa.txt': 'x' },
    'aaaaaaaaaaaa.txt',
    '../../../../a.tx',
  ),
  'polyglot.docx': pdfFile([textPage('Este fichero es un PDF con otro nombre.')]),
  'surrogate.txt': Buffer.from('\ufeffuno \ud800 dos', 'utf16le'),
  'unknown.bin': Buffer.from([0, 1, 2, 3]),
};
