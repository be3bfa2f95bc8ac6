import type { AcquiredFile } from '../../src/reader';
import { compoundFile } from './compound-file';
import { msgFile } from './msg-file';
import { flatFile, openChart, openDocumentFile, pageStyles, epubFile } from './open-files';
import { pdfFile, textPage } from './pdf-file';
import { encryptedFile, signedFile } from './signed-files';
import { attribute, properties, tnefFile } from './tnef-file';
import { encryptedZip, linkedZip, overlappingZip, zeros, zipFile } from './zip-file';

const MEGABYTE = 1_000_000;
const file = (name: string, bytes: Buffer | string): AcquiredFile => ({ name, bytes: Buffer.from(bytes as string) });
const nested = (open: string, close: string, depth: number, inside = ''): string =>
  open.repeat(depth) + inside + close.repeat(depth);
const p = (text: string): string => `<text:p>${text}</text:p>`;
const cell = (text: string, more = ''): string => `<table:table-cell ${more}>${p(text)}</table:table-cell>`;
const table = (rows: string): string => `<table:table table:name="a">${rows}</table:table>`;
const laughs = '<!DOCTYPE office:document [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;&a;">]>';

const packed = (): AcquiredFile[] => [
  file('bomba.odt', openDocumentFile('text', p('hola'), { entries: { 'styles.xml': zeros(8 * MEGABYTE) } })),
  file(
    'bomba-grafico.odt',
    openDocumentFile('text', p('hola'), { entries: { 'Object 1/content.xml': ' '.repeat(8 * MEGABYTE) } }),
  ),
  file('bomba-objeto.odt', openDocumentFile('text', p('hola'), { entries: { 'Object 1': zeros(8 * MEGABYTE) } })),
  file(
    'solapado.odt',
    overlappingZip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': zeros(MEGABYTE) }),
  ),
  file(
    'enlace.ods',
    linkedZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '/etc/passwd' }),
  ),
  file('cifrado.ods', encryptedZip({ 'content.xml': 'x', 'META-INF/manifest.xml': 'x' })),
  file(
    'cifrado-manifiesto.odt',
    openDocumentFile('text', p('x'), { entries: { 'META-INF/manifest.xml': '<m><encryption-data/></m>' } }),
  ),
  file('cortado.odp', openDocumentFile('presentation', p('hola'.repeat(9_000))).subarray(0, 700)),
  file(
    'objetos.odt',
    openDocumentFile('text', p('hola'), {
      entries: Object.fromEntries(
        Array.from({ length: 1_000 }, (_, at) => [`Object ${at}/content.xml`, openChart(p('x'))]),
      ),
    }),
  ),
  file(
    'objeto-roto.odt',
    openDocumentFile('text', p('hola'), {
      entries: { 'Object 1': compoundFile({ Package: Buffer.from('PK') }).subarray(0, 700) },
    }),
  ),
  file(
    'objeto-propio.odt',
    openDocumentFile('text', `${p('hola')}<draw:object xlink:href="."/><draw:object xlink:href="../content.xml"/>`),
  ),
  file(
    'fuera.sxw',
    zipFile({ mimetype: 'application/vnd.sun.xml.writer', 'content.xml': `${laughs}<a>&b;</a>` }, { level: 0 }),
  ),
];

const trees = (): AcquiredFile[] => [
  file(
    'listas.odt',
    openDocumentFile('text', nested('<text:list><text:list-item>', '</text:list-item></text:list>', 5_000, p('x'))),
  ),
  file(
    'niveles.odt',
    openDocumentFile(
      'text',
      `<text:list text:style-name="L">${`<text:list-item text:start-value="999999999">${p('x')}</text:list-item>`.repeat(2_000)}</text:list>`,
      {
        styles:
          '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="A" text:display-levels="999999999" text:start-value="999999999"/></text:list-style>',
      },
    ),
  ),
  file(
    'notas.odt',
    openDocumentFile('text', nested('<text:p><office:annotation>', '</office:annotation></text:p>', 5_000, p('x'))),
  ),
  file(
    'notas-muchas.odt',
    openDocumentFile(
      'text',
      `<text:p>x${`<office:annotation>${p('nota')}</office:annotation>`.repeat(30_000)}</text:p>`,
    ),
  ),
  file(
    'formas.ods',
    openDocumentFile(
      'spreadsheet',
      table(
        `<table:table-row><table:table-cell>${nested('<draw:g>', '</draw:g>', 5_000)}</table:table-cell></table:table-row>`,
      ),
    ),
  ),
  file(
    'formas-muchas.ods',
    openDocumentFile(
      'spreadsheet',
      table(`<table:shapes>${`<draw:rect>${p('x')}</draw:rect>`.repeat(20_000)}</table:shapes>`),
    ),
  ),
  file(
    'filas.ods',
    openDocumentFile(
      'spreadsheet',
      table(`<table:table-row table:number-rows-repeated="999999999">${cell('relleno'.repeat(9))}</table:table-row>`),
    ),
  ),
  file(
    'columnas.ods',
    openDocumentFile(
      'spreadsheet',
      table(
        `<table:table-row table:number-rows-repeated="999999">${cell('relleno', 'table:number-columns-repeated="999999999"')}</table:table-row>`,
      ),
    ),
  ),
  file(
    'columnas-vacias.ods',
    openDocumentFile(
      'spreadsheet',
      table(
        `<table:table-row>${`<table:table-cell table:number-columns-repeated="999999999"/>`.repeat(999)}${cell('hola')}</table:table-row>`,
      ),
    ),
  ),
  file('espacios.odt', openDocumentFile('text', p(`x${'<text:s text:c="999999999"/>'.repeat(1_000)}y`))),
  file(
    'cabeceras.odt',
    openDocumentFile('text', p('hola'), {
      entries: {
        'styles.xml': pageStyles(
          Array.from({ length: 5_000 }, (_, at) => `<style:header>${p(`Sección ${at}`)}</style:header>`).join(''),
        ),
      },
    }),
  ),
  file(
    'cabecera-rota.odt',
    openDocumentFile('text', p('hola'), { entries: { 'styles.xml': '<office:document-styles' } }),
  ),
];

const flat = (): AcquiredFile[] => [
  file('risas.fodt', flatFile('text', p('&b;')).toString().replace('?>\n', `?>${laughs}`)),
  file('cortado.fods', flatFile('spreadsheet', table(cell('x').repeat(500))).subarray(0, 3_000)),
  file('hondo.fodp', flatFile('presentation', nested('<draw:g>', '</draw:g>', 50_000))),
  file(
    'objetos-hondos.fodt',
    flatFile(
      'text',
      nested('<text:p><draw:object><office:document>', '</office:document></draw:object></text:p>', 1_000),
    ),
  ),
  file(
    'binario.fodt',
    flatFile('text', `${p('hola')}<office:binary-data>${'A'.repeat(2 * MEGABYTE)}</office:binary-data>`),
  ),
  file('mentira.fods', flatFile('text', p('hola'))),
];

const form = (template: string, datasets = ''): Buffer =>
  pdfFile([textPage('Please wait')], {
    form: { template: `<template>${template}</template>`, datasets: `<datasets><data>${datasets}</data></datasets>` },
  });

const forms = (): AcquiredFile[] => [
  file('hondo-xfa.pdf', form(nested('<subform>', '</subform>', 20_000))),
  file('risas-xfa.pdf', pdfFile([textPage('Please wait')], { form: { template: `${laughs}<template/>` } })),
  file('producto-xfa.pdf', form('<subform name="a"><field name="b"/></subform>'.repeat(6_000), '<c/>'.repeat(6_000))),
  file('elementos-xfa.pdf', form('<draw/>'.repeat(250_000))),
  file(
    'paquetes-xfa.pdf',
    pdfFile([textPage('Please wait')], {
      form: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, '<a/>'])),
    }),
  ),
];

const messages = (): AcquiredFile[] => [
  file(
    'firma-rota.msg',
    msgFile({
      kind: 'IPM.Note.SMIME',
      attachments: [{ name: 'smime.p7m', bytes: Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]) }],
    }),
  ),
  file(
    'firma-cifrada.msg',
    msgFile({ kind: 'IPM.Note.SMIME', attachments: [{ name: 'smime.p7m', bytes: encryptedFile() }] }),
  ),
  file('firma-vacia.msg', msgFile({ kind: 'IPM.Note.SMIME', attachments: [{ name: 'smime.p7m' }] })),
  file(
    'firmas.msg',
    msgFile({
      kind: 'IPM.Note.SMIME.MultipartSigned',
      attachments: [
        {
          name: 'smime.p7m',
          bytes: Buffer.from('Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n'.repeat(2_000)),
        },
      ],
    }),
  ),
  file('cuerpo-largo.msg', msgFile({ body: '<'.repeat(MEGABYTE), html: '<'.repeat(MEGABYTE) })),
  file(
    'dentro-de-si.tnef',
    tnefFile(attribute(0x69002, Buffer.alloc(14)), attribute(0x69005, properties({ 0x3001: 'a', 0x3701: tnefFile() }))),
  ),
  file(
    'octetos.eml',
    Buffer.concat([
      Buffer.from('From: a@example.org\r\nContent-Type: application/octet-stream; name=smime.p7m\r\n\r\n'),
      signedFile(Buffer.alloc(MEGABYTE)),
    ]),
  ),
];

const books = (): AcquiredFile[] => [
  file('espina.epub', epubFile(Array.from({ length: 3_000 }, (_, at) => ({ name: `${at}.xhtml`, page: '<p>x</p>' })))),
  file('bomba.epub', epubFile([{ name: 'a.xhtml', page: Buffer.alloc(8 * MEGABYTE) }])),
  file(
    'repetido.epub',
    epubFile([{ name: 'a.xhtml', page: '<p>hola</p>' }], {
      'OEBPS/content.opf': `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="text/html"/></manifest><spine>${'<itemref idref="a"/>'.repeat(50_000)}</spine></package>`,
    }),
  ),
];

/** Open formats, forms, mails of Outlook and books that were made to do harm. */
export const hostileOpenFiles = (): AcquiredFile[] => [
  ...packed(),
  ...trees(),
  ...flat(),
  ...forms(),
  ...messages(),
  ...books(),
];
