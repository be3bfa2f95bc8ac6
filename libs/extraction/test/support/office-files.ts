import { type ZipEntries, zipFile } from './zip-file';

const OPEN = 'http://schemas.openxmlformats.org';
const RELATIONS = `${OPEN}/officeDocument/2006/relationships`;
const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>';

/** Relations of a part: kind and target of each; the first is rId1. */
const relations = (targets: readonly (readonly [kind: string, target: string])[]): string =>
  `${PROLOG}<Relationships xmlns="${OPEN}/package/2006/relationships">${targets
    .map(
      ([kind, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const CORE = `${PROLOG}<cp:coreProperties xmlns:cp="${OPEN}/package/2006/metadata/core-properties"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"
 ><dc:title>Informe &amp; anexos</dc:title><dc:creator>Ana Gil</dc:creator
 ><dcterms:modified>2024-03-05T10:00:00Z</dcterms:modified><dc:language>es-ES</dc:language></cp:coreProperties>`;

/** Author, title, date and language of every file here that has facts. */
export const FACTS = {
  title: 'Informe & anexos',
  author: 'Ana Gil',
  date: '2024-03-05T10:00:00.000Z',
  language: 'es-ES',
};

const packaged = (main: string, entries: ZipEntries, facts: boolean): Buffer =>
  zipFile({
    '_rels/.rels': relations([
      ['officeDocument', main],
      ...(facts ? [['core-properties', 'docProps/core.xml'] as const] : []),
    ]),
    ...(facts ? { 'docProps/core.xml': CORE } : {}),
    ...entries,
  });

export interface DocxContent {
  /** Content of `w:body`. */
  readonly body: string;
  /** Content of the parts beside it. */
  readonly styles?: string;
  readonly numbering?: string;
  readonly footnotes?: string;
  /** Whether title, author and date are named. */
  readonly facts?: boolean;
  /** What comes before the root, such as a document type. */
  readonly before?: string;
  /** Relations beside the usual three, kind and target; the first is rId4. */
  readonly relations?: readonly (readonly [kind: string, target: string])[];
  /** Further parts by their names. */
  readonly entries?: ZipEntries;
}

const word = (root: string, content: string, before = ''): string =>
  `${PROLOG}${before}<w:${root} xmlns:w="${OPEN}/wordprocessingml/2006/main" xmlns:mc="${OPEN}/markup-compatibility/2006" xmlns:r="${RELATIONS}"
  xmlns:a="${OPEN}/drawingml/2006/main" xmlns:c="${OPEN}/drawingml/2006/chart" xmlns:dgm="${OPEN}/drawingml/2006/diagram">${content}</w:${root}>`;

/** A part of a text document, such as a page header. */
export const wordPart = (root: string, content: string): string => word(root, content);

/** A chart with one series. */
export const chartPart = (title: string, series: string, values: Readonly<Record<string, number>>): string =>
  spreadsheetPart(
    'c:chartSpace',
    `<c:chart><c:title><a:p><a:r><a:t>${title}</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>${series}</c:v></c:tx><c:cat>${Object.keys(
      values,
    )
      .map((name, index) => `<c:pt idx="${index}"><c:v>${name}</c:v></c:pt>`)
      .join('')}</c:cat><c:val>${Object.values(values)
      .map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`)
      .join('')}</c:val></c:ser></c:chart>`,
  );

/** A text document of Word. */
export const docxFile = ({
  body,
  styles = '',
  numbering = '',
  footnotes = '',
  facts,
  before,
  relations: further = [],
  entries = {},
}: DocxContent): Buffer =>
  packaged(
    'word/document.xml',
    {
      'word/_rels/document.xml.rels': relations([
        ['styles', 'styles.xml'],
        ['numbering', 'numbering.xml'],
        ['footnotes', '/word/footnotes.xml'],
        ...further,
      ]),
      ...entries,
      'word/styles.xml': word('styles', styles),
      'word/numbering.xml': word('numbering', numbering),
      'word/footnotes.xml': word('footnotes', footnotes),
      'word/document.xml': word('document', `<w:body>${body}</w:body>`, before),
    },
    facts === true,
  );

/** A paragraph of Word: its text in one run, its properties before it. */
export const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A table of Word. */
export const wordTable = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows
    .map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`)
    .join('')}</w:tbl>`;

/** A slide by its shapes, and what the speaker reads. */
export interface Slide {
  readonly shapes: string;
  readonly notes?: string;
  /** Kind and target of its relations; the first is rId1. */
  readonly relations?: readonly (readonly [kind: string, target: string])[];
}

/** A shape of a slide: the place that it fills, and its paragraphs. */
export const shape = (place: string, ...texts: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${place}"/></p:nvPr></p:nvSpPr><p:txBody>${texts
    .map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`;

const NAMES = `xmlns:c="${OPEN}/drawingml/2006/chart" xmlns:dgm="${OPEN}/drawingml/2006/diagram" xmlns:p="${OPEN}/presentationml/2006/main" xmlns:a="${OPEN}/drawingml/2006/main" xmlns:r="${RELATIONS}"`;

/** A part of a presentation, such as a layout. */
export const presentationPart = (root: string, content: string): string =>
  `${PROLOG}<p:${root} ${NAMES}>${content}</p:${root}>`;

/** A presentation that shows its slides in the order in which they come, whatever their parts are called. */
export const pptxFile = (slides: readonly Slide[], facts = false, parts: ZipEntries = {}): Buffer => {
  const entries: Record<string, string | Uint8Array> = { ...parts };
  const nameOf = (index: number): string => `slide${slides.length - index}.xml`;
  slides.forEach(({ shapes, notes, relations: targets = [] }, index) => {
    entries[`ppt/slides/${nameOf(index)}`] =
      `${PROLOG}<p:sld ${NAMES}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    const noted = notes === undefined ? [] : [['notesSlide', `../notes/${nameOf(index)}`] as const];
    entries[`ppt/slides/_rels/${nameOf(index)}.rels`] = relations([...targets, ...noted]);
    if (notes === undefined) return;
    entries[`ppt/notes/${nameOf(index)}`] =
      `${PROLOG}<p:notes ${NAMES}>${shape('body', notes)}${shape('sldNum', '99')}</p:notes>`;
  });
  const ids = slides.map((_slide, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`).join('');
  entries['ppt/presentation.xml'] =
    `${PROLOG}<p:presentation ${NAMES}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`;
  entries['ppt/_rels/presentation.xml.rels'] = relations(
    slides.map((_slide, index) => ['slide', `slides/${nameOf(index)}`] as const),
  );
  return packaged('ppt/presentation.xml', entries, facts);
};

export interface SheetContent {
  readonly name: string;
  /** Content of `sheetData`. */
  readonly rows: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  /** Kind of the relation to it, `worksheet` by default. */
  readonly kind?: string;
  /** Target of the relation to it, its own part by default. */
  readonly target?: string;
  /** What follows `sheetData`. */
  readonly tail?: string;
  /** Kind and target of its relations; the first is rId1. */
  readonly relations?: readonly (readonly [kind: string, target: string])[];
}

export interface WorkbookExtras {
  readonly shared?: readonly string[];
  readonly facts?: boolean;
  /** Codes of the cell styles from 4 on. */
  readonly formats?: readonly string[];
  /** Further parts by their names, such as comments. */
  readonly parts?: ZipEntries;
}

/** The root of a part of a workbook, or of a drawing or chart that it shows. */
export const spreadsheetPart = (root: string, content: string): string =>
  `${PROLOG}<${root} xmlns="${OPEN}/spreadsheetml/2006/main" xmlns:r="${RELATIONS}" xmlns:a="${OPEN}/drawingml/2006/main"
  xmlns:c="${OPEN}/drawingml/2006/chart" xmlns:xdr="${OPEN}/drawingml/2006/spreadsheetDrawing">${content}</${root}>`;

/** Relations of a part as an entry of the archive. */
export const relationsPart = relations;

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A row of a sheet: words, numbers, or whole cells as they are written (`<c ...>`). */
export const xlsxRow = (row: number, ...cells: readonly (string | number)[]): string =>
  `<row r="${row}">${cells
    .map((cell, column) => {
      const reference = `${String.fromCharCode(65 + column)}${row}`;
      if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
      return cell.startsWith('<c') ? cell : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`;
    })
    .join('')}</row>`;

/** A workbook with comments, drawings or number formats. */
export const workbookFile = (
  sheets: readonly SheetContent[],
  { shared = [], facts = false, formats = [], parts = {} }: WorkbookExtras,
): Buffer => {
  const entries: Record<string, string | Uint8Array> = { ...parts };
  sheets.forEach(({ rows, tail = '', relations: targets }, index) => {
    const name = `sheet${index + 1}.xml`;
    entries[`xl/worksheets/${name}`] = spreadsheetPart('worksheet', `<sheetData>${rows}</sheetData>${tail}`);
    if (targets !== undefined) entries[`xl/worksheets/_rels/${name}.rels`] = relations(targets);
  });
  const listed = sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`,
  );
  entries['xl/workbook.xml'] = spreadsheetPart('workbook', `<sheets>${listed.join('')}</sheets>`);
  entries['xl/sharedStrings.xml'] = spreadsheetPart('sst', shared.map((text) => `<si>${text}</si>`).join(''));
  entries['xl/styles.xml'] = spreadsheetPart(
    'styleSheet',
    `<numFmts><numFmt numFmtId="164" formatCode="[$-40A]dd/mm/yyyy&quot; h&quot;\\ hh:mm;@"/>${formats
      .map((code, index) => `<numFmt numFmtId="${165 + index}" formatCode="${escapedXml(code)}"/>`)
      .join('')}</numFmts>
     <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
     <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/>${formats
       .map((_code, index) => `<xf numFmtId="${165 + index}"/>`)
       .join('')}</cellXfs>`,
  );
  entries['xl/_rels/workbook.xml.rels'] = relations([
    ...sheets.map(
      ({ kind = 'worksheet', target }, index) => [kind, target ?? `worksheets/sheet${index + 1}.xml`] as const,
    ),
    ['sharedStrings', 'sharedStrings.xml'],
    ['styles', 'styles.xml'],
  ]);
  return packaged('xl/workbook.xml', entries, facts);
};

/** A workbook. Style 1 of cells is a date, style 2 a share in percent, style 3 a date with time. */
export const xlsxFile = (sheets: readonly SheetContent[], shared: readonly string[] = [], facts = false): Buffer =>
  workbookFile(sheets, { shared, facts });
