import { DamagedFile, LimitExceeded } from '../src/errors';
import { PptxReader } from '../src/readers/office';
import { FACTS, pptxFile, shape } from './support/office-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';

const reader = new PptxReader();

describe('a presentation', () => {
  it('has a page for each slide, in the order in which they are shown', async () => {
    const slides = ['primera', 'segunda', 'tercera'].map((text) => ({ shapes: shape('body', text) }));
    const { document } = await readWith(reader, pptxFile(slides, true));
    expect(pagesOf(document)).toEqual(['1: primera', '2: segunda', '3: tercera']);
    expect(document).toMatchObject(FACTS);
  });
  it('begins a slide with its title, and leaves out what repeats on all', async () => {
    const shapes =
      shape('body', 'punto', 'otro') + shape('ftr', 'pie') + shape('sldNum', '7') + shape('ctrTitle', 'Resultados');
    const { document } = await readWith(reader, pptxFile([{ shapes }]));
    expect([document.text, headingsOf(document)]).toEqual(['Resultados\n\npunto\n\notro', ['1 Resultados']]);
  });
  it('ends a slide with the notes of who speaks', async () => {
    const slides = [{ shapes: shape('title', 'Uno'), notes: 'saludar' }, { shapes: shape('title', 'Dos') }];
    const { document } = await readWith(reader, pptxFile(slides));
    expect(pagesOf(document)).toEqual(['1: Uno\n\nsaludar', '2: Dos']);
  });
  it('has its tables', async () => {
    const row = (...cells: string[]): string =>
      `<a:tr>${cells.map((cell) => `<a:tc><a:txBody><a:p><a:r><a:t>${cell}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const shapes = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row('Año', 'Ventas')}${row('2023', '5')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const { document } = await readWith(reader, pptxFile([{ shapes }]));
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Año | Ventas', rows: ['2023 | 5'] }]);
  });
  it('numbers a slide after those without text', async () => {
    const { document } = await readWith(reader, pptxFile([{ shapes: '' }, { shapes: shape('body', 'x') }]));
    expect(pagesOf(document)).toEqual(['2: x']);
  });
  it('is refused with more slides than the limit, and when it is cut', async () => {
    const bytes = pptxFile([{ shapes: shape('body', 'x') }, { shapes: shape('body', 'y') }]);
    await expect(readWith(reader, bytes, { pages: 1 })).rejects.toThrow(LimitExceeded);
    await expect(readWith(reader, bytes.subarray(0, 500))).rejects.toThrow(DamagedFile);
  });
});
