import { DamagedFile, LimitExceeded, NoTextFound, PasswordProtected } from '../src/errors';
import { OpenDocumentReader } from '../src/readers/opendocument';
import { openDocumentFile } from './support/open-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';
import { zipFile } from './support/zip-file';

const reader = new OpenDocumentReader();
const text = async (body: string, styles = '') =>
  (await readWith(reader, openDocumentFile('text', body, { styles }))).document;

describe('an OpenDocument text', () => {
  it('a text document gives paragraphs, headings and metadata', async () => {
    const body =
      '<text:h text:outline-level="2">Plazos</text:h><text:p>Uno\n  dos<text:s text:c="2"/>tres<text:tab/>4<text:line-break/>5</text:p>';
    const document = await text(body);
    expect([document.text, headingsOf(document)]).toEqual(['Plazos\n\nUno dos  tres\t4\n5', ['2 Plazos']]);
    expect(document).toMatchObject({
      title: 'Informe & anexos',
      author: 'Ana Gil',
      date: '2024-03-05T10:00:00.000Z',
      language: 'es-ES',
    });
  });
  it('tables have header rows, and empty cells for covered ones', async () => {
    const cell = (content: string, more = ''): string =>
      `<table:table-cell ${more}><text:p>${content}</text:p></table:table-cell>`;
    const body = `<table:table table:name="Cuentas"><table:table-header-rows><table:table-row>${cell('Año')}${cell('Importe', 'table:number-columns-spanned="2"')}<table:covered-table-cell/></table:table-row></table:table-header-rows>
      <table:table-row>${cell('2023')}${cell('', 'table:number-columns-repeated="1"')}${cell('10')}</table:table-row></table:table>`;
    expect(tablesOf(await text(body))).toEqual([{ title: 'Cuentas', header: 'Año | Importe', rows: ['2023 |  | 10'] }]);
  });
  it('list labels follow the list styles', async () => {
    const styles = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
      <text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="1"/></text:list-style>`;
    const item = (content: string, inner = ''): string =>
      `<text:list-item><text:p>${content}</text:p>${inner}</text:list-item>`;
    const body = `<text:list text:style-name="L">${item('uno', `<text:list>${item('dentro')}</text:list>`)}${item('dos')}</text:list><text:list>${item('suelto')}</text:list>`;
    expect((await text(body, styles)).text.split('\n\n')).toEqual(['1. uno', 'a) dentro', '2. dos', '• suelto']);
  });
  it('notes and comments follow their paragraph; deleted text is left out', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Véase el anexo.</text:p></text:note-body></text:note>';
    const body = `<text:table-of-content><text:p>El plazo 3</text:p></text:table-of-content><text:tracked-changes><text:p>viejo</text:p></text:tracked-changes><text:p>El plazo${note} corre.<office:annotation><text:p>¿seguro?</text:p></office:annotation></text:p><text:p>Fin</text:p>`;
    expect((await text(body)).text).toBe('El plazo corre.\n\nVéase el anexo.\n\n¿seguro?\n\nFin');
  });
});

describe('an OpenDocument spreadsheet', () => {
  const cell = (content: string, more = ''): string =>
    `<table:table-cell ${more}><text:p>${content}</text:p></table:table-cell>`;
  const row = (cells: string, more = ''): string => `<table:table-row ${more}>${cells}</table:table-row>`;
  const sheet = (rows: string): Buffer =>
    openDocumentFile('spreadsheet', `<table:table table:name="Hoja 1">${rows}</table:table>`);

  it('each sheet is a table with ISO dates and displayed figures', async () => {
    const date = 'office:value-type="date" office:date-value="2024-03-05"';
    const bytes = sheet(
      row(cell('Fecha', 'office:value-type="string"') + cell('Importe', 'office:value-type="string"')) +
        row(cell('5 de marzo', date) + cell('1.200,50 €', 'office:value-type="currency" office:value="1200.5"')),
    );
    const { document } = await readWith(reader, bytes);
    expect(tablesOf(document)).toEqual([
      { title: 'Hoja 1', header: 'Fecha | Importe', rows: ['2024-03-05 | 1.200,50 €'] },
    ]);
    expect(headingsOf(document)).toEqual(['1 Hoja 1']);
  });
  it('repeated rows are repeated; a million empty rows are left out', async () => {
    const empty = '<table:table-cell table:number-columns-repeated="16384"/>';
    const bytes = sheet(
      row(cell('7', 'office:value-type="float" table:number-columns-repeated="3"'), 'table:number-rows-repeated="2"') +
        row(empty, 'table:number-rows-repeated="1048574"'),
    );
    expect((await readWith(reader, bytes)).document.text).toBe('Hoja 1\n\n7 | 7 | 7\n7 | 7 | 7');
  });
  it('repetitions beyond the text limit are refused', async () => {
    const bytes = sheet(row(cell('palabra'), 'table:number-rows-repeated="1048574"'));
    await expect(readWith(reader, bytes, { characters: 10_000 })).rejects.toThrow(LimitExceeded);
  });
});

describe('an OpenDocument presentation', () => {
  it('each slide is a page with its title and without placeholders', async () => {
    const frame = (kind: string, content: string): string =>
      `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${content}</text:p></draw:text-box></draw:frame>`;
    const body = `<draw:page>${frame('title', 'Resultados')}${frame('outline', 'punto')}${frame('page-number', '1')}<presentation:notes>${frame('notes', 'saludar')}</presentation:notes></draw:page><draw:page>${frame('outline', 'dos')}</draw:page>`;
    const { document } = await readWith(reader, openDocumentFile('presentation', body));
    expect(pagesOf(document)).toEqual(['1: Resultados\n\npunto\n\nsaludar', '2: dos']);
    expect(headingsOf(document)).toEqual(['1 Resultados']);
  });
});

describe('an OpenDocument file that cannot be read', () => {
  const manifest = '<manifest:manifest xmlns:manifest="m"><manifest:encryption-data/></manifest:manifest>';
  it.each([
    [
      'is encrypted',
      openDocumentFile('text', '', { entries: { 'META-INF/manifest.xml': manifest } }),
      PasswordProtected,
    ],
    ['has no text', openDocumentFile('text', '<text:p/>'), NoTextFound],
    ['has no content', zipFile({ mimetype: 'application/vnd.oasis.opendocument.text' }), DamagedFile],
    ['is cut', openDocumentFile('text', '<text:p>x</text:p>').subarray(0, 400), DamagedFile],
  ])('an OpenDocument file that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(readWith(reader, bytes)).rejects.toThrow(refusal);
  });
});
