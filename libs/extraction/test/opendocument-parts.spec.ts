import { detectFormat } from '../src/formats-detection';
import { InlineSource } from '../src/inline-source';
import { OpenDocumentReader } from '../src/readers/opendocument';
import { compoundFile } from './support/compound-file';
import { docxFile, paragraph } from './support/office-files';
import { flatFile, openChart, openDocumentFile, openOfficeFile, pageStyles } from './support/open-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';
import type { ZipEntries } from './support/zip-file';

const reader = new OpenDocumentReader();
const p = (content: string): string => `<text:p>${content}</text:p>`;
const cell = (content: string, more = ''): string => `<table:table-cell ${more}>${content}</table:table-cell>`;
const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;
const comment = (author: string, text: string): string =>
  `<office:annotation><dc:creator>${author}</dc:creator><dc:date>2026-01-14T10:00:00</dc:date>${p(text)}</office:annotation>`;
const textOf = async (body: string, styles = '', entries: ZipEntries = {}): Promise<string> =>
  (await readWith(reader, openDocumentFile('text', body, { styles, entries }))).document.text;
const sheetOf = (rows: string, entries: ZipEntries = {}): Buffer =>
  openDocumentFile('spreadsheet', `<table:table table:name="Riegos">${rows}</table:table>`, { entries });

const chart = openChart(
  `<chart:title>${p('Agua por mes')}</chart:title><chart:plot-area><chart:axis><chart:title>${p('hm³')}</chart:title></chart:axis></chart:plot-area>
   <table:table table:name="local-table">${row(cell(''), cell(p('Ebro')), cell(p('Aragón')))}${row(cell(p('Enero')), cell(p('12,5')), cell(p('7')))}</table:table>`,
);
const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';

describe('comments of OpenDocument', () => {
  it('a comment in a text follows its paragraph with its author', async () => {
    expect(await textOf(p(`El caudal${comment('Ana Gil', 'Medido en junio')} baja.`))).toBe(
      'El caudal baja.\n\nAna Gil: Medido en junio',
    );
  });
  it('a comment in a sheet stands with its cell, also an empty one', async () => {
    const rows =
      row(cell(p('Acequia')), cell(p('Caudal'))) +
      row(cell(p('Mayor')), cell(comment('Luis', 'Sin aforo'))) +
      row(cell(comment('Ana', 'Nueva') + p('Menor'), 'table:number-columns-repeated="2"'));
    const { document, report } = await readWith(reader, sheetOf(rows));
    expect(tablesOf(document)[0]?.rows).toEqual(['Mayor | (Luis: Sin aforo)', 'Menor (Ana: Nueva) | Menor']);
    expect(report?.parts[1]).toEqual({ kind: 'COMMENT', counted: 2, read: 2, leftOut: [] });
  });
  it('a comment on a slide belongs to the page of that slide', async () => {
    const box = (text: string): string => `<draw:frame><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
    const body = `<draw:page>${box('Uno')}${comment('Ana', 'Falta el mapa')}</draw:page><draw:page>${box('Dos')}</draw:page>`;
    const { document } = await readWith(reader, openDocumentFile('presentation', body));
    expect(pagesOf(document)).toEqual(['1: Uno\n\nAna: Falta el mapa', '2: Dos']);
  });
});

describe('headers and footers of OpenDocument', () => {
  const number = '<text:page-number>1</text:page-number>';
  it('headers stand above a text and footers below it, once', async () => {
    const styles = pageStyles(
      `<style:header>${p('Comunidad de regantes')}</style:header><style:header-left>${p('Comunidad de regantes')}</style:header-left><style:footer>${p('Calle Mayor 4')}${p(`Página ${number}`)}</style:footer><style:footer-left style:display="false">${p('Apagado')}</style:footer-left>`,
    );
    expect(await textOf(p('Acta'), '', { 'styles.xml': styles })).toBe(
      'Comunidad de regantes\n\nActa\n\nCalle Mayor 4',
    );
  });
  it('headers of sheets are read without names that programs fill in', async () => {
    const region = `<style:region-left>${p('Campaña 2026')}</style:region-left><style:region-right>${p('<text:sheet-name>???</text:sheet-name>')}</style:region-right>`;
    const entries = { 'styles.xml': pageStyles(`<style:header>${region}</style:header>`) };
    const { document } = await readWith(reader, sheetOf(row(cell(p('7'))), entries));
    expect(document.text).toBe('Campaña 2026\n\nRiegos\n\n7');
  });
  it('damaged styles leave the text of a file', async () => {
    expect(await textOf(p('Acta'), '', { 'styles.xml': '<office:document-styles' })).toBe('Acta');
  });
  it('footers of slides and texts of their master stand once', async () => {
    const master = pageStyles(
      `<draw:frame presentation:class="title"><draw:text-box>${p('Pulse para editar')}</draw:text-box></draw:frame><draw:custom-shape>${p('Canal de Aragón')}</draw:custom-shape>`,
    );
    const slide = `<draw:page presentation:use-footer-name="f">${`<draw:frame><draw:text-box>${p('Hola')}</draw:text-box></draw:frame>`}</draw:page>`;
    const declared = '<presentation:footer-decl presentation:name="f">Jornada</presentation:footer-decl>';
    const bytes = openDocumentFile('presentation', declared + slide.repeat(2), { entries: { 'styles.xml': master } });
    expect((await readWith(reader, bytes)).document.text).toBe('Hola\n\nHola\n\nJornada\n\nCanal de Aragón');
  });
});

describe('what stands inside OpenDocument', () => {
  it('a chart gives its titles, categories and values in its place', async () => {
    const bytes = openDocumentFile('text', p('Antes') + p(object) + p('Después'), {
      entries: { 'Object 1/content.xml': chart },
    });
    const { document, report } = await readWith(reader, bytes);
    expect(document.text).toBe('Antes\n\nAgua por mes\n\nhm³\n\n | Ebro | Aragón\nEnero | 12,5 | 7\n\nDespués');
    expect(report?.parts[1]).toEqual({ kind: 'CHART', counted: 1, read: 1, leftOut: [] });
  });
  it('shapes and charts over a sheet follow its table', async () => {
    const shapes = `<table:shapes>${object}</table:shapes>`;
    const box = `<draw:frame><draw:text-box>${p('Revisar en mayo')}</draw:text-box></draw:frame>`;
    const rows = shapes + row(cell(p('Acequia')), cell(`${p('Caudal')}${box}`)) + row(cell(p('Mayor')), cell(p('8')));
    const { document } = await readWith(reader, sheetOf(rows, { 'Object 1/content.xml': chart }));
    expect(tablesOf(document)[0]).toMatchObject({ header: 'Acequia | Caudal', rows: ['Mayor | 8'] });
    expect(document.text).toMatch(/Mayor \| 8\n\nAgua por mes[^]*Enero \| 12,5 \| 7\n\nRevisar en mayo$/);
  });
  it('damaged objects, formulas and pictures are counted, and the text stays', async () => {
    const entries = {
      'Object 1/content.xml': '<office:document-content',
      'Object 2/content.xml': '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi></math>',
      'Pictures/a.png': 'x',
    };
    const { document, report } = await readWith(reader, openDocumentFile('text', p(`Acta${object}`), { entries }));
    expect(document.text).toBe('Acta');
    const left = (report?.parts ?? []).map(({ kind, leftOut }) => [kind, leftOut]);
    expect(left).toEqual([
      ['PART', []],
      ['CHART', [{ reason: 'DAMAGED', count: 1 }]],
      ['ATTACHMENT', [{ reason: 'UNSUPPORTED', count: 1 }]],
      ['RELATION', [{ reason: 'PICTURE', count: 1 }]],
    ]);
  });
  it('an object of another program becomes a document', async () => {
    const inner = compoundFile({ Package: docxFile({ body: paragraph('dentro') }) });
    const bytes = openDocumentFile('text', p('Acta'), { entries: { 'Object 1': inner } });
    expect((await readWith(reader, bytes)).attachments.map(({ name }) => name)).toEqual(['Object 1.docx']);
  });
});

describe('numbers of lists and headings of OpenDocument', () => {
  const level = (at: number, more: string): string =>
    `<text:list-level-style-number text:level="${at}" style:num-format="1" style:num-suffix="." ${more}/>`;
  const styles = `<text:list-style style:name="L">${level(1, 'text:start-value="3"')}${level(2, 'text:display-levels="2"')}</text:list-style>`;
  const item = (...inside: string[]): string => `<text:list-item>${inside.join('')}</text:list-item>`;
  const list = (more: string, ...items: string[]): string => `<text:list ${more}>${items.join('')}</text:list>`;
  const numbered = 'text:style-name="L"';

  it('a list begins at its number and goes on where it says so', async () => {
    const body =
      list(`${numbered} xml:id="a"`, item(p('uno'))) +
      p('entre') +
      list(`${numbered} text:continue-numbering="true"`, item(p('dos'))) +
      list(numbered, item(p('otra'))) +
      list(`${numbered} text:continue-list="a"`, item(p('tres')));
    expect((await textOf(body, styles)).split('\n\n')).toEqual(['3. uno', 'entre', '4. dos', '3. otra', '5. tres']);
  });
  it('an item without a text of its numbered takes no number', async () => {
    const body = list(
      numbered,
      item(p('uno'), list('', item(p('dentro')))),
      item(list('', item(p('más')))),
      item(p('dos')),
    );
    expect((await textOf(body, styles)).split('\n\n')).toEqual(['3. uno', '3.1. dentro', '3.2. más', '4. dos']);
  });
  it('headings have the numbers that their outline gives them', async () => {
    const outline = [1, 2]
      .map((at) => `<text:outline-level-style text:level="${at}" style:num-format="1" text:display-levels="${at}"/>`)
      .join('');
    const h = (at: number, text: string): string => `<text:h text:outline-level="${at}">${text}</text:h>`;
    const body = h(1, 'Objeto') + h(2, 'Ámbito') + h(2, 'Plazo') + h(1, 'Precio');
    const { document } = await readWith(
      reader,
      openDocumentFile('text', body, { styles: `<text:outline-style>${outline}</text:outline-style>` }),
    );
    expect(headingsOf(document)).toEqual(['1 1 Objeto', '2 1.1 Ámbito', '2 1.2 Plazo', '1 2 Precio']);
  });
});

describe('flat OpenDocument and OpenOffice 1', () => {
  const source = new InlineSource();
  const read = async (name: string, bytes: Buffer): Promise<string> =>
    (await source.extract({ name, bytes })).document.text;
  const header = `<office:master-styles><style:master-page><style:header>${p('Riegos del Alto')}</style:header></style:master-page></office:master-styles>`;

  it('a flat text is read under its ending, as XML and without an ending', async () => {
    const bytes = flatFile('text', p(`Acta${comment('Ana', 'Firmada')}`), header);
    for (const name of ['a.fodt', 'a.xml', 'acta'])
      expect([name, await read(name, bytes)]).toEqual([name, 'Riegos del Alto\n\nActa\n\nAna: Firmada']);
  });
  it('a flat spreadsheet gives its sheets and the chart inside', async () => {
    const inside = `<table:shapes><draw:frame><draw:object>${chart.replace('document-content', 'document').replace('/office:document-content', '/office:document')}</draw:object></draw:frame></table:shapes>`;
    const bytes = flatFile(
      'spreadsheet',
      `<table:table table:name="Cuotas">${inside}${row(cell(p('8')))}</table:table>`,
    );
    const { document, report } = await readWith(reader, bytes);
    expect(document.text).toMatch(/^Cuotas\n\n8\n\nAgua por mes[^]*Enero \| 12,5 \| 7$/);
    expect(report?.parts.map(({ kind, counted, read: done }) => [kind, counted, done])).toEqual([
      ['SHEET', 1, 1],
      ['CHART', 1, 1],
    ]);
  });
  it('a flat presentation gives its slides as pages', async () => {
    const bytes = flatFile('presentation', `<draw:page><draw:custom-shape>${p('Uno')}</draw:custom-shape></draw:page>`);
    expect(pagesOf((await readWith(reader, bytes)).document)).toEqual(['1: Uno']);
  });
  it('a text of OpenOffice 1 gives its headings, lists, notes and headers', async () => {
    const note = `<text:footnote><text:footnote-citation>1</text:footnote-citation><text:footnote-body>${p('Véase el plano.')}</text:footnote-body></text:footnote>`;
    const body = `<text:h text:level="2">Riego</text:h>${p(`Turnos${note} de mayo`)}<text:unordered-list><text:list-item>${p('lunes')}</text:list-item></text:unordered-list><office:annotation office:author="Ana">${p('Ojo')}</office:annotation>`;
    const bytes = openOfficeFile('writer', body, header);
    expect(await read('a.sxw', bytes)).toBe(
      'Riegos del Alto\n\nRiego\n\nTurnos de mayo\n\nVéase el plano.\n\n• lunes\n\nAna: Ojo',
    );
  });
  it('a spreadsheet of OpenOffice 1 gives its cells, dates in ISO 8601', async () => {
    const date = cell(p('5/3/24'), 'table:value-type="date" table:date-value="2024-03-05"');
    const rows =
      row(cell(p('Día')), cell(p('Turno'))) + row(date, cell('', 'table:value-type="float" table:value="4"'));
    const bytes = openOfficeFile('calc', `<table:table table:name="Turnos">${rows}</table:table>`);
    expect(await read('a.sxc', bytes)).toBe('Turnos\n\nDía | Turno\n2024-03-05 | 4');
    expect((await detectFormat({ name: 'a.doc', bytes })).reader).toBe('opendocument');
  });
  it('a presentation of OpenOffice 1 gives its slides', async () => {
    const bytes = openOfficeFile('impress', `<draw:page><draw:text-box>${p('Obras')}</draw:text-box></draw:page>`);
    expect(pagesOf((await readWith(reader, bytes)).document)).toEqual(['1: Obras']);
  });
});

describe('lying names of OpenDocument', () => {
  const source = new InlineSource();
  it.each([
    ['cuotas.ods', 'Acequia;Cuota\nMayor;8\nMenor;5\n', /^Acequia \| Cuota\nMayor \| 8/],
    ['cuotas.sxc', 'Acequia\tCuota\nMayor\t8\n', /^Acequia \| Cuota\nMayor \| 8/],
    ['acta.odt', '{\\rtf1 Acta de mayo}', /^Acta de mayo$/],
    ['acta.odt', '<html><body><p>Acta de mayo</p></body></html>', /^Acta de mayo$/],
    ['acta.odp', 'Acta de mayo', /^Acta de mayo$/],
    ['acta.ods', docxFile({ body: paragraph('Acta de mayo') }), /^Acta de mayo$/],
    ['acta.docx', openOfficeFile('writer', p('Acta de mayo')), /^Acta de mayo$/],
    ['acta.xlsx', flatFile('text', p('Acta de mayo')), /^Acta de mayo$/],
  ])('%s is read by its content', async (name, content, expected) => {
    const { document } = await source.extract({ name, bytes: Buffer.from(content as string) });
    expect(document.text).toMatch(expected);
  });
});
