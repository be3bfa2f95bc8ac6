import { DamagedFile, LimitExceeded, NoTextFound, UnsupportedFile } from '../src/errors';
import { DocxReader } from '../src/readers/office';
import { docxFile, FACTS, paragraph, wordTable } from './support/office-files';
import { headingsOf, readWith, tablesOf } from './support/reading';
import { zipFile } from './support/zip-file';

const reader = new DocxReader();
const read = async (body: string, parts = {}) => (await readWith(reader, docxFile({ body, ...parts }))).document;
const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

describe('a Word document', () => {
  it('a Word document gives its paragraphs and metadata', async () => {
    const document = await read(paragraph('Uno &amp; dos') + paragraph('') + paragraph('tres'), { facts: true });
    expect(document).toMatchObject({ text: 'Uno & dos\n\ntres', ...FACTS });
  });
  it('the strict variant is read under any prefix', async () => {
    const strict =
      '<x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:body><x:p><x:r><x:t>Uno</x:t></x:r></x:p></x:body></x:document>';
    const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/main.xml"/></Relationships>`;
    const { document } = await readWith(reader, zipFile({ '_rels/.rels': relations, 'main.xml': strict }));
    expect(document.text).toBe('Uno');
  });
  it('the runs of a paragraph are joined unchanged', async () => {
    const { text } = await read(
      `<w:p>${run('Pó')}${run('liza')}<w:r><w:tab/><w:t>1</w:t><w:br/><w:t>fin</w:t></w:r></w:p>`,
    );
    expect(text).toBe('Póliza\t1\nfin');
  });
  it('headings get their level from styles, including inherited ones', async () => {
    const styles = `
      <w:style w:type="paragraph" w:styleId="Ttulo1"><w:name w:val="heading 1"/></w:style>
      <w:style w:type="paragraph" w:styleId="Mio"><w:name w:val="Apartado"/><w:basedOn w:val="Base"/></w:style>
      <w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
      <w:style w:type="paragraph" w:styleId="Vuelta"><w:name w:val="x"/><w:basedOn w:val="Vuelta"/></w:style>`;
    const body = ['Ttulo1', 'Mio', 'Vuelta', 'Ninguno'].map((style) =>
      paragraph(style, `<w:pStyle w:val="${style}"/>`),
    );
    const direct = paragraph('directo', '<w:outlineLvl w:val="1"/>');
    expect(headingsOf(await read(body.join('') + direct, { styles }))).toEqual(['1 Ttulo1', '3 Mio', '2 directo']);
  });
  it('numbered paragraphs have the labels of Word', async () => {
    const level = (index: number, format: string, text: string): string =>
      `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering = `<w:abstractNum w:abstractNumId="7">${level(0, 'upperRoman', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum>
      <w:abstractNum w:abstractNumId="8">${level(0, 'bullet', 'o')}</w:abstractNum>
      <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>`;
    const item = (text: string, list: number, depth = 0): string =>
      paragraph(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`);
    const body = [
      item('Objeto', 1),
      item('plazo', 1, 1),
      item('precio', 1, 1),
      item('Firma', 1),
      item('anexo', 1, 1),
      item('suelto', 2),
    ];
    expect((await read(body.join(''), { numbering })).text.split('\n\n')).toEqual([
      'I. Objeto',
      'I.a) plazo',
      'I.b) precio',
      'II. Firma',
      'II.a) anexo',
      '• suelto',
    ]);
  });
  it('a list with a start value restarts', async () => {
    const level = '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>';
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>';
    const list = (id: number, more = ''): string =>
      `<w:num w:numId="${id}"><w:abstractNumId w:val="7"/>${more}</w:num>`;
    const numbering = `<w:abstractNum w:abstractNumId="7">${level}</w:abstractNum>${list(1)}${list(2)}${list(3, restart)}`;
    const body = [1, 1, 2, 3, 3].map((id) => paragraph('x', `<w:numPr><w:numId w:val="${id}"/></w:numPr>`)).join('');
    expect((await read(body, { numbering })).text).toBe('1. x\n\n2. x\n\n3. x\n\n1. x\n\n2. x');
  });
  it('a Word table has a header, rows and ranges', async () => {
    const body = `${paragraph('antes')}${wordTable([
      ['Año', 'Importe'],
      ['2023', '10'],
      ['', ''],
      ['2024', '20'],
    ])}${paragraph('después')}`;
    const document = await read(body);
    expect(document.text).toBe('antes\n\nAño | Importe\n2023 | 10\n2024 | 20\n\ndespués');
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Año | Importe', rows: ['2023 | 10', '2024 | 20'] }]);
  });
  it('a spanning cell keeps columns aligned', async () => {
    const wide = '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>';
    const rows = `<w:tr>${wide}<w:tc>${paragraph('b')}</w:tc></w:tr><w:tr>${['1', '2', '3'].map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`;
    expect(tablesOf(await read(`<w:tbl>${rows}</w:tbl>`))).toMatchObject([{ header: 'a |  | b', rows: ['1 | 2 | 3'] }]);
  });
  it('a nested table and a frame are written as text', async () => {
    const inner = wordTable([['x', 'y']]);
    const outer = `<w:tbl><w:tr><w:tc>${paragraph('a')}${inner}</w:tc><w:tc>${paragraph('b')}</w:tc></w:tr></w:tbl>`;
    const document = await read(outer + wordTable([['un marco']]));
    expect([document.text, document.tables.length]).toEqual(['a x | y | b\n\nun marco', 1]);
  });
  it('inserted text is kept; deleted, moved or hidden text is not', async () => {
    const body = `<w:p><w:ins>${run('nuevo ')}</w:ins><w:del>${run('viejo ')}<w:r><w:delText>viejo</w:delText></w:r></w:del>
      <w:moveFrom>${run('movido')}</w:moveFrom>${run('oculto', '<w:vanish/>')}${run('visto', '<w:vanish w:val="0"/>')}</w:p>`;
    expect((await read(body)).text).toBe('nuevo visto');
  });
  it('notes follow the block that refers to them', async () => {
    const footnotes = `<w:footnote w:type="separator" w:id="0">${paragraph('raya')}</w:footnote><w:footnote w:id="2">${paragraph('Véase el anexo.')}</w:footnote>`;
    const body = `<w:p>${run('El plazo')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' es de un mes.')}</w:p>${paragraph('Fin')}`;
    expect((await read(body, { footnotes })).text).toBe('El plazo es de un mes.\n\nVéase el anexo.\n\nFin');
  });
  it('a table of contents is left out', async () => {
    const styles = '<w:style w:type="paragraph" w:styleId="TDC1"><w:name w:val="toc 1"/></w:style>';
    const body = paragraph('Objeto\t3', '<w:pStyle w:val="TDC1"/>') + paragraph('Objeto');
    expect((await read(body, { styles })).text).toBe('Objeto');
  });
  it('a text box that is stored twice is read once', async () => {
    const box = (text: string): string => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const body = `<w:p>${run('junto')}<w:r><mc:AlternateContent><mc:Choice>${box('caja')}</mc:Choice><mc:Fallback>${box('caja')}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    expect((await read(body)).text).toBe('caja\n\njunto');
  });
});

describe('a Word document that cannot be read', () => {
  it.each([
    ['has no text', docxFile({ body: paragraph(' ') }), NoTextFound],
    ['has a document type', docxFile({ body: paragraph('x'), before: '<!DOCTYPE x>' }), DamagedFile],
    ['is cut', docxFile({ body: paragraph('x') }).subarray(0, 700), DamagedFile],
    ['has only its main part', zipFile({ 'word/document.xml': '<x/>' }), DamagedFile],
    ['is an ordinary archive', zipFile({ 'acta.txt': 'hola' }), UnsupportedFile],
    ['nests too deeply', docxFile({ body: '<w:sdt>'.repeat(300) }), LimitExceeded],
  ])('a Word document that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(readWith(reader, bytes)).rejects.toThrow(refusal);
  });
});
