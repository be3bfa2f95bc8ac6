import { DamagedFile, LimitExceeded } from '../src/errors';
import { PptxReader } from '../src/readers/office';
import { FACTS, pptxFile, shape } from './support/office-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';

const reader = new PptxReader();

describe('a presentation', () => {
  it('each slide is a page, in order of the presentation', async () => {
    const slides = ['primera', 'segunda', 'tercera'].map((text) => ({ shapes: shape('body', text) }));
    const { document } = await readWith(reader, pptxFile(slides, true));
    expect(pagesOf(document)).toEqual(['1: primera', '2: segunda', '3: tercera']);
    expect(document).toMatchObject(FACTS);
  });
  it('a slide begins with its title and omits placeholders', async () => {
    const shapes =
      shape('body', 'punto', 'otro') + shape('ftr', 'pie') + shape('sldNum', '7') + shape('ctrTitle', 'Resultados');
    const { document } = await readWith(reader, pptxFile([{ shapes }]));
    expect([document.text, headingsOf(document)]).toEqual(['Resultados\n\npunto\n\notro', ['1 Resultados']]);
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
