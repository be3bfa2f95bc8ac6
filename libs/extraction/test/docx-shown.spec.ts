import { DocxReader } from '../src/readers/office';
import { chartPart, docxFile, type DocxContent, paragraph, spreadsheetPart, wordPart } from './support/office-files';
import { readWith, tablesOf } from './support/reading';

const reader = new DocxReader();
const extract = (content: DocxContent) => readWith(reader, docxFile(content));
const textOf = async (content: DocxContent): Promise<string> => (await extract(content)).document.text;

const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const mark = (kind: string, inside = ''): string =>
  `<w:r><w:fldChar w:fldCharType="${kind}">${inside}</w:fldChar></w:r>`;
const WORD_2010 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
const WORD_2012 = 'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"';

describe('fields of a form in a Word document', () => {
  const instruction = '<w:r><w:instrText> FORM </w:instrText></w:r>';
  const entries = '<w:listEntry w:val="Álava"/><w:listEntry w:val="Navarra"/><w:listEntry w:val="La Rioja"/>';
  const list = (choice: string): string => `<w:ffData><w:ddList>${choice}${entries}</w:ddList></w:ffData>`;
  const field = (data: string, shown = ''): string =>
    mark('begin', data) + instruction + mark('separate') + shown + mark('end');
  const navarra = list('<w:result w:val="1"/>');
  it.each([
    ['a result', '<w:result w:val="1"/>', 'Navarra'],
    ['a default alone', '<w:default w:val="2"/>', 'La Rioja'],
    ['a result and a default', '<w:result w:val="1"/><w:default w:val="2"/>', 'Navarra'],
    ['neither', '', 'Álava'],
  ])('a list with %s shows one entry', async (_what, choice, shown) => {
    expect(await textOf({ body: `<w:p>${run('Provincia: ')}${field(list(choice))}</w:p>` })).toBe(
      `Provincia: ${shown}`,
    );
  });
  it('a list without a separator shows its entry', async () => {
    expect(await textOf({ body: `<w:p>${mark('begin', navarra)}${instruction}${mark('end')}</w:p>` })).toBe('Navarra');
  });
  it.each([
    ['its own text', run('Navarra')],
    ['the text of a field inside it', field('', run('Navarra'))],
  ])('a list with %s shows it once', async (_what, shown) => {
    expect(await textOf({ body: `<w:p>${field(navarra, shown)}</w:p>` })).toBe('Navarra');
  });
  it('a list whose text is hidden or blank shows its entry', async () => {
    const shown = run('oculto', '<w:vanish/>') + run('\u2002');
    expect((await textOf({ body: `<w:p>${field(navarra, shown)}</w:p>` })).trim()).toBe('Navarra');
  });
  it.each([
    ['<w:default w:val="0"/><w:checked/>', '☒ Acepto'],
    ['<w:default w:val="1"/>', '☒ Acepto'],
    ['<w:default w:val="1"/><w:checked w:val="0"/>', '☐ Acepto'],
    ['<w:sizeAuto/>', '☐ Acepto'],
  ])('a box with %s shows %s', async (state, shown) => {
    const box = `<w:ffData><w:checkBox>${state}</w:checkBox></w:ffData>`;
    expect(await textOf({ body: `<w:p>${field(box)}${run(' Acepto')}</w:p>` })).toBe(shown);
  });
  it('a field without a form shows its text alone', async () => {
    expect(await textOf({ body: `<w:p>${run('Página ')}${field('', run('3'))}</w:p>` })).toBe('Página 3');
  });
});

describe('letters that a Word document shows without writing them', () => {
  it.each([
    [
      'a tab of a header',
      '<w:r><w:t>Archivo</w:t><w:ptab w:alignment="right"/><w:t>Ref. 7</w:t></w:r>',
      'Archivo\tRef. 7',
    ],
    ['a Greek letter of Symbol', '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>', 'α'],
    ['a mark of Wingdings', '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:t> apto</w:t></w:r>', '☑ apto'],
    [
      'a fraction',
      '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>',
      '1/2',
    ],
  ])('%s is read', async (_what, inside, shown) => {
    expect(await textOf({ body: `<w:p>${inside}</w:p>` })).toBe(shown);
  });
  it('words drawn behind the pages are read once', async () => {
    const drawn =
      '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath string="BORRADOR"/></v:shape></w:pict></w:r></w:p>';
    const entries = { 'word/h1.xml': wordPart('hdr', drawn), 'word/h2.xml': wordPart('hdr', drawn) };
    const relations = [
      ['header', 'h1.xml'],
      ['header', 'h2.xml'],
    ] as const;
    expect(await textOf({ body: paragraph('Texto'), relations, entries })).toBe('BORRADOR\n\nTexto');
  });
});

describe('text that a Word document hides', () => {
  const styles =
    '<w:style w:type="character" w:styleId="C"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="P"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Q"><w:basedOn w:val="P"/></w:style>';
  it('a style of characters or of paragraphs hides it', async () => {
    const body = `<w:p>${run('a')}${run('SECRETO', '<w:rStyle w:val="C"/>')}${run('b')}</w:p>${paragraph('OCULTO', '<w:pStyle w:val="Q"/>')}`;
    expect(await textOf({ body, styles })).toBe('ab');
  });
  it('a run may show itself in a hidden paragraph', async () => {
    const body = `<w:p><w:pPr><w:pStyle w:val="P"/></w:pPr>${run('OCULTO')}${run('visto', '<w:vanish w:val="0"/>')}</w:p>`;
    expect(await textOf({ body, styles })).toBe('visto');
  });
});

describe('notes of a Word document', () => {
  it('a note has its tables, hyphens and fields, and nothing hidden', async () => {
    const note = `<w:footnote w:id="2"><w:p>${run('Véase A')}<w:r><w:noBreakHyphen/></w:r>${run('7')}${run('SECRETO', '<w:vanish/>')}</w:p><w:tbl><w:tr><w:tc>${paragraph('uno')}</w:tc><w:tc>${paragraph('dos')}</w:tc></w:tr></w:tbl></w:footnote>`;
    const body = `<w:p>${run('Texto')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
    expect(await textOf({ body, footnotes: note })).toBe('Texto\n\nVéase A-7\nuno | dos');
  });
  it('a reply follows its comment, whether the text refers to it or not', async () => {
    const comment = (id: number, author: string, text: string): string =>
      `<w:comment w:id="${id}" w:author="${author}"><w:p ${WORD_2010} w14:paraId="0${id}">${run(text)}</w:p></w:comment>`;
    const threads = `<w15:commentsEx ${WORD_2012}><w15:commentEx w15:paraId="01"/><w15:commentEx w15:paraId="02" w15:paraIdParent="01"/><w15:commentEx w15:paraId="03" w15:paraIdParent="01"/></w15:commentsEx>`;
    const entries = {
      'word/comments.xml': wordPart(
        'comments',
        comment(1, 'Ana', '¿Seguro?') + comment(2, 'Luis', 'Sí.') + comment(3, 'Ana', 'Gracias.'),
      ),
      'word/commentsExtended.xml': `<?xml version="1.0"?>${threads}`,
    };
    const body = `<w:p>${run('Plazo')}<w:r><w:commentReference w:id="1"/></w:r><w:r><w:commentReference w:id="2"/></w:r></w:p>`;
    const relations = [
      ['comments', 'comments.xml'],
      ['commentsExtended', 'commentsExtended.xml'],
    ] as const;
    expect((await textOf({ body, relations, entries })).split('\n\n')).toEqual([
      'Plazo',
      'Ana: ¿Seguro?',
      'Luis: Sí.',
      'Ana: Gracias.',
    ]);
  });
});

describe('parts around the body of a Word document', () => {
  it('a header shows its own chart, not one of the body with an equal number', async () => {
    const entries = {
      'word/header1.xml': wordPart('hdr', '<w:p><w:r><c:chart r:id="rId1"/></w:r></w:p>'),
      'word/_rels/header1.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x/chart" Target="charts/a.xml"/></Relationships>',
      'word/charts/a.xml': chartPart('Cifras', 'Visitas', { Olite: 3 }),
    };
    const text = await textOf({ body: paragraph('Fin'), relations: [['header', 'header1.xml']], entries });
    expect(text).toBe('Cifras\n\nVisitas\n\nOlite | 3\n\nFin');
  });
  it('a row that begins behind the first column keeps its columns', async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const body = `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('c')}</w:tr></w:tbl>`;
    expect(tablesOf((await extract({ body })).document)).toMatchObject([{ header: 'a | b', rows: [' | c'] }]);
  });
  it('an inserted file that is not read is left out of the report', async () => {
    const relations = [
      ['aFChunk', 'a.html'],
      ['aFChunk', 'b.bin'],
    ] as const;
    const entries = { 'word/a.html': '<html><body>hola</body></html>', 'word/b.bin': Buffer.from([0, 1, 2, 3, 255]) };
    const body = `${paragraph('x')}<w:altChunk r:id="rId4"/><w:altChunk r:id="rId5"/>`;
    const { report, document } = await extract({ body, relations, entries });
    expect(document.text).toBe('x\n\nhola');
    expect(report?.parts[0]?.leftOut).toContainEqual({ reason: 'UNSUPPORTED', count: 1 });
  });
});

describe('a chart', () => {
  const textOfChart = async (content: string, entries: Record<string, string> = {}): Promise<string> => {
    const chart = spreadsheetPart('c:chartSpace', `<c:chart>${content}</c:chart>`);
    const body = '<w:p><w:r><c:chart r:id="rId4"/></w:r></w:p>';
    return textOf({
      body,
      relations: [['chart', 'charts/a.xml']],
      entries: { ...entries, 'word/charts/a.xml': chart },
    });
  };
  const points = (...values: readonly (string | number)[]): string =>
    values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('');
  const series = `<c:ser><c:tx><c:strRef><c:strCache>${points('2025')}</c:strCache></c:strRef></c:tx>LABELS<c:cat>${points('Olite', 'Tafalla')}</c:cat><c:val>${points(3, 4)}</c:val></c:ser>`;

  it('titles that are the text of a cell stay apart from the names of series', async () => {
    const title = (text: string): string =>
      `<c:title><c:tx><c:strRef><c:strCache>${points(text)}</c:strCache></c:strRef></c:tx></c:title>`;
    expect(await textOfChart(`${title('Visitas')}${series.replace('LABELS', '')}${title('Personas')}`)).toBe(
      'Visitas\nPersonas\n2025\nOlite | 3\nTafalla | 4',
    );
  });
  it('labels that an author wrote follow its values', async () => {
    const label =
      '<c:dLbls><c:dLbl><c:idx val="0"/><c:tx><c:rich><a:p><a:r><a:t>obra en la sede</a:t></a:r></a:p></c:rich></c:tx></c:dLbl></c:dLbls>';
    expect(await textOfChart(series.replace('LABELS', label))).toBe('2025\nOlite | 3\nTafalla | 4\nobra en la sede');
  });
  it('texts that are drawn over it follow it', async () => {
    const entries = {
      'word/charts/_rels/a.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x/chartUserShapes" Target="../drawings/d.xml"/></Relationships>',
      'word/drawings/d.xml': spreadsheetPart('c:userShapes', '<a:p><a:r><a:t>Datos provisionales</a:t></a:r></a:p>'),
    };
    expect(await textOfChart(series.replace('LABELS', ''), entries)).toContain('Tafalla | 4\nDatos provisionales');
  });
});

describe('a diagram', () => {
  it('boxes follow the order of the diagram, without its prompts', async () => {
    const box = (id: string, text: string, more = ''): string =>
      `<dgm:pt modelId="${id}"><dgm:prSet ${more}/><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
    const joined = (above: string, below: string, order: number): string =>
      `<dgm:cxn modelId="x${below}" srcId="${above}" destId="${below}" srcOrd="${order}"/>`;
    const model = wordPart(
      'x',
      `<dgm:ptLst><dgm:pt modelId="0" type="doc"/>${box('3', 'Archivo')}${box('1', 'Dirección')}${box('2', 'Personal')}${box('4', '[Texto]', 'phldr="1"')}</dgm:ptLst><dgm:cxnLst>${joined('0', '1', 0)}${joined('1', '3', 1)}${joined('1', '2', 0)}${joined('0', '4', 1)}</dgm:cxnLst>`,
    );
    const body = '<w:p><w:r><dgm:relIds r:dm="rId4"/></w:r></w:p>';
    const text = await textOf({ body, relations: [['diagramData', 'd.xml']], entries: { 'word/d.xml': model } });
    expect(text).toBe('Dirección\nPersonal\nArchivo');
  });
});
