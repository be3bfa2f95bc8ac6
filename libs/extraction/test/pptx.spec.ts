import { DamagedFile, LimitExceeded } from '../src/errors';
import { PptxReader } from '../src/readers/office';
import {
  chartPart,
  docxFile,
  FACTS,
  paragraph,
  pptxFile,
  presentationPart,
  relationsPart,
  shape,
  spreadsheetPart,
} from './support/office-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';

const reader = new PptxReader();

describe('a presentation', () => {
  it('each slide is a page, in order of the presentation', async () => {
    const slides = ['primera', 'segunda', 'tercera'].map((text) => ({ shapes: shape('body', text) }));
    const { document } = await readWith(reader, pptxFile(slides, true));
    expect(pagesOf(document)).toEqual(['1: primera', '2: segunda', '3: tercera']);
    expect(document).toMatchObject(FACTS);
  });
  it('a slide begins with its title; footers stand once, numbers nowhere', async () => {
    const shapes =
      shape('body', 'punto', 'otro') + shape('ftr', 'pie') + shape('sldNum', '7') + shape('ctrTitle', 'Resultados');
    const { document } = await readWith(reader, pptxFile([{ shapes }, { shapes }]));
    expect(pagesOf(document)).toEqual(['1: Resultados\n\npunto\n\notro\n\npie', '2: Resultados\n\npunto\n\notro']);
    expect(headingsOf(document)).toEqual(['1 Resultados', '1 Resultados']);
  });
  it('a date written by hand stands once, one of the day nowhere', async () => {
    const today = shape('dt', 'HOY').replace('<a:r>', '<a:fld><a:r>').replace('</a:r>', '</a:r></a:fld>');
    const slides = [
      { shapes: shape('dt', '12 de marzo') + shape('body', 'uno') },
      { shapes: today + shape('body', 'dos') },
    ];
    const { document } = await readWith(reader, pptxFile([...slides, ...slides]));
    expect(document.text.match(/12 de marzo|HOY/g)).toEqual(['12 de marzo']);
  });
  it('a hidden shape is not read', async () => {
    const hidden = shape('body', 'SECRETO').replace('<p:nvSpPr>', '<p:nvSpPr><p:cNvPr id="1" name="x" hidden="1"/>');
    const { document } = await readWith(reader, pptxFile([{ shapes: hidden + shape('body', 'visto') }]));
    expect(document.text).toBe('visto');
  });
  it('equations of a slide are read with their fractions', async () => {
    const math = (tag: string, text: string): string => `<m:${tag}><m:r><m:t>${text}</m:t></m:r></m:${tag}>`;
    const equation = `<p:sp><p:txBody><a:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f>${math('num', '3')}${math('den', '4')}</m:f></m:oMath></a:p></p:txBody></p:sp>`;
    const { document } = await readWith(reader, pptxFile([{ shapes: equation }]));
    expect(document.text).toBe('3/4');
  });
  it('a slide ends with its speaker notes', async () => {
    const slides = [{ shapes: shape('title', 'Uno'), notes: 'saludar' }, { shapes: shape('title', 'Dos') }];
    const { document } = await readWith(reader, pptxFile(slides));
    expect(pagesOf(document)).toEqual(['1: Uno\n\nsaludar', '2: Dos']);
  });
  it('tables of a slide are read', async () => {
    const row = (...cells: string[]): string =>
      `<a:tr>${cells.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${cell}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const shapes = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row('Año', 'Ventas')}${row('2023', '5')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const { document } = await readWith(reader, pptxFile([{ shapes }]));
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Año | Ventas', rows: ['2023 | 5'] }]);
  });
  it('charts and diagrams stand where the slide shows them', async () => {
    const shapes = `${shape('title', 'Uno')}<p:graphicFrame><c:chart r:id="rId1"/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm="rId2"/></p:graphicFrame>${shape('body', 'fin')}`;
    const relations = [
      ['chart', '../charts/chart1.xml'],
      ['diagramData', '../diagrams/data1.xml'],
    ] as const;
    const parts = {
      'ppt/charts/chart1.xml': chartPart('Visitas', '2025', { Olite: 12, Tafalla: 7 }),
      'ppt/diagrams/data1.xml': spreadsheetPart(
        'a:x',
        '<a:p><a:r><a:t>Recibir</a:t></a:r></a:p><a:p><a:r><a:t>Resolver</a:t></a:r></a:p>',
      ),
    };
    const { document } = await readWith(reader, pptxFile([{ shapes, relations }], false, parts));
    expect(document.text).toBe('Uno\n\nVisitas\n2025\nOlite | 12\nTafalla | 7\n\nRecibir\nResolver\n\nfin');
  });
  it('comments of either kind end a slide, before its notes', async () => {
    const relations = [
      ['comments', '../comments/comment1.xml'],
      ['comments', '../comments/modern.xml'],
    ] as const;
    const parts = {
      'ppt/comments/comment1.xml': presentationPart('cmLst', '<p:cm><p:text>falta la fuente</p:text></p:cm>'),
      'ppt/comments/modern.xml':
        '<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p188:cm><p188:replyLst><p188:reply><p188:txBody><a:p><a:r><a:t>hecho</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst></p188:cm></p188:cmLst>',
    };
    const slides = [{ shapes: shape('title', 'Uno'), notes: 'saludar', relations }];
    const { document } = await readWith(reader, pptxFile(slides, false, parts));
    expect(document.text).toBe('Uno\n\nfalta la fuente\n\nhecho\n\nsaludar');
  });
  it('texts of layouts and masters stand once, prompts nowhere', async () => {
    const fixed = (text: string): string =>
      `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const relations = [['slideLayout', '../slideLayouts/layout1.xml']] as const;
    const parts = {
      'ppt/slideLayouts/layout1.xml': presentationPart('sldLayout', fixed('RESERVADO') + shape('title', 'Haga clic')),
      'ppt/slideLayouts/_rels/layout1.xml.rels': relationsPart([['slideMaster', '../slideMasters/master1.xml']]),
      'ppt/slideMasters/master1.xml': presentationPart('sldMaster', fixed('Archivo Real')),
    };
    const slides = ['uno', 'dos'].map((text) => ({ shapes: shape('body', text), relations }));
    const { document } = await readWith(reader, pptxFile(slides, false, parts));
    expect(document.text).toBe('uno\n\nRESERVADO\n\nArchivo Real\n\ndos');
  });
  it('documents inside a slide are attachments', async () => {
    const inner = docxFile({ body: paragraph('dentro') });
    const slides = [{ shapes: shape('body', 'x'), relations: [['package', '../embeddings/Acta.docx']] as const }];
    const { attachments } = await readWith(reader, pptxFile(slides, false, { 'ppt/embeddings/Acta.docx': inner }));
    expect(attachments.map(({ name, bytes }) => [name, bytes.equals(inner)])).toEqual([['Acta.docx', true]]);
  });
  it('slides without text count in page numbers', async () => {
    const { document } = await readWith(reader, pptxFile([{ shapes: '' }, { shapes: shape('body', 'x') }]));
    expect(pagesOf(document)).toEqual(['2: x']);
  });
  it('a presentation with too many slides or truncated is refused', async () => {
    const bytes = pptxFile([{ shapes: shape('body', 'x') }, { shapes: shape('body', 'y') }]);
    await expect(readWith(reader, bytes, { pages: 1 })).rejects.toThrow(LimitExceeded);
    await expect(readWith(reader, bytes.subarray(0, 500))).rejects.toThrow(DamagedFile);
  });
});
