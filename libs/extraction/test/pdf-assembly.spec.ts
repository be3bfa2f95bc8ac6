import fc from 'fast-check';
import { NoTextFound, UnreadableText } from '../src/errors';
import type { RawLine, RawPage } from '../src/reader';
import { PdfReader } from '../src/readers/pdf';
import { joinLines } from '../src/readers/text/line-joining';
import { pagesOf } from './support/reading';

const NO_FACTS = { title: null, author: null, date: null, language: null };
const assemble = (pages: readonly RawPage[]) => new PdfReader().assemble(pages, NO_FACTS);

const line = (text: string, top = 0.5, more: Partial<RawLine> = {}): RawLine => ({
  text,
  size: 10,
  bold: false,
  top,
  bottom: top + 0.01,
  left: 0.1,
  right: 0.9,
  startsParagraph: true,
  ...more,
});

const pages = (count: number, lines: (number: number) => RawLine[]): RawPage[] =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, lines: lines(index + 1) }));

describe('lines that run through the pages', () => {
  it('running lines stand once, page numbers nowhere', () => {
    const document = assemble(
      pages(4, (number) => [
        line('Memoria anual', 0.05),
        line(`Contenido propio de la hoja ${'abcd'[number - 1]}`),
        line(`Página ${number} de 4`, 0.95),
      ]),
    );
    expect(pagesOf(document)[0]).toBe('1: Memoria anual\n\nContenido propio de la hoja a');
    expect(document.text.match(/Memoria|Página/g)).toEqual(['Memoria']);
    expect(document.title).toBe('Contenido propio de la hoja a');
    expect(pagesOf(document)[2]).toBe('3: Contenido propio de la hoja c');
  });
  it('running lines that alternate between pages stand once each', () => {
    const heads = ['Capítulo uno', 'Manual de uso'];
    const document = assemble(
      pages(8, (number) => [line(heads[number % 2] ?? '', 0.05), line(`texto ${'abcdefgh'[number - 1]}`)]),
    );
    expect(document.text.match(/Manual|Capítulo/g)).toEqual(['Manual', 'Capítulo']);
  });
  it('running lines that differ in more than the page number stand each', () => {
    const document = assemble(
      pages(6, (number) => [
        line(`Expediente ${number < 4 ? 458 : 611}/2026 · página ${number} de 6`, 0.05),
        line(`texto ${'abcdef'[number - 1]}`),
      ]),
    );
    expect(document.text.match(/Expediente \d+/g)).toEqual(['Expediente 458', 'Expediente 611']);
  });
  it('running lines that only count stand once', () => {
    const document = assemble(
      pages(40, (number) => [line(`Memoria ${number + 12}`, 0.05), line(`texto ${'abcd'[number % 4]}`.repeat(number))]),
    );
    expect(document.text.match(/Memoria/g)?.length).toBeLessThan(4);
  });
  it.each([
    ['are in the middle of the page', () => [line('Firma'), line('otra')]],
    [
      'are set as large as a heading',
      () => [line('Tema', 0.05, { size: 24 }), line('un texto mucho más largo que la cabecera')],
    ],
    ['are the only lines of the page', () => [line('Tema', 0.05)]],
    ['move on the page', (number: number) => [line('Nota', 0.02 * number), line('otra')]],
  ])('lines stay when they %s', (_why, lines) => {
    const document = assemble(pages(4, lines));
    const retained = lines(1)[0]?.text ?? '';
    expect(pagesOf(document).filter((page) => page.includes(retained))).toHaveLength(4);
  });
  it('lines of a list that begins at the edge of each page all stay', () => {
    const row = (number: number, index: number): RawLine =>
      line(`Asiento ${number * 40 + index}: ${number * 7},00 euros`, 0.05 + index * 0.012);
    const document = assemble(pages(9, (number) => Array.from({ length: 20 }, (_row, index) => row(number, index))));
    expect(document.text.match(/Asiento/g)).toHaveLength(180);
  });
  it('lines beside the body that count as the pages do stay', () => {
    const document = assemble(
      pages(6, (number) => [0, 1, 2, 3].map((index) => line(`Punto ${number}.${index}`, 0.05 + index * 0.012))),
    );
    expect(document.text.match(/Punto \d\.\d/g)).toHaveLength(24);
  });
  it('running lines with another figure on every page all stay', () => {
    const document = assemble(
      pages(8, (number) => [line(`Recibo ${number * number + 900}`, 0.05), line(`texto ${'abcdefgh'[number - 1]}`)]),
    );
    expect(document.text.match(/Recibo/g)).toHaveLength(8);
  });
  it('running lines stay on two pages, which are too few', () => {
    expect(assemble(pages(2, () => [line('Cabecera', 0.05), line('texto')])).text).toContain('Cabecera');
  });
});

describe('the lines of a paragraph', () => {
  it.each([
    ['a broken word becomes whole', ['la capaci-', 'dad'], 'la capacidad'],
    ['a hyphen before a capital stays', ['Castilla-', 'La Mancha'], 'Castilla-La Mancha'],
    ['a hyphen before a figure stays', ['el COVID-', '19'], 'el COVID-19'],
    ['a dash stays a dash', ['uno -', 'dos'], 'uno - dos'],
    ['lines of Chinese need no space', ['今天天气', '很好'], '今天天气很好'],
    ['blank lines leave no trace', ['uno', ' ', 'dos'], 'uno dos'],
  ])('lines are joined: %s', (_what, lines, text) => {
    expect(joinLines(lines)).toBe(text);
  });
  it('joined lines lose only hyphens and spaces', () => {
    const bare = (text: string): string => text.replace(/[\s-]/g, '');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
        expect(bare(joinLines(lines))).toBe(bare(lines.join('')));
      }),
    );
  });
});

describe('pages without a line', () => {
  const scanned: RawPage[] = ['Objeto', 'Anexos'].map((title, index) => ({
    number: index + 1,
    lines: [],
    bookmarks: [{ title, level: 1 }],
  }));

  it('a table of contents without a line on any page is no text', () => {
    expect(() => assemble(scanned)).toThrow(NoTextFound);
    expect(() => assemble(scanned.map((page) => ({ ...page, isUnreadable: true })))).toThrow(UnreadableText);
  });
  it('its titles stand above the pages of a file that has text', () => {
    expect(assemble([...scanned, { number: 3, lines: [line('Firmado')] }]).text).toBe('Objeto\n\nAnexos\n\nFirmado');
  });
});

describe('the ranges of an assembled text', () => {
  const word = fc.stringMatching(/^[a-zñé]{1,9}[-.,]?$/);
  const rawLine = fc
    .record({
      words: fc.array(word, { minLength: 1, maxLength: 6 }),
      size: fc.constantFrom(0, 9, 10, 10, 14, 20),
      bold: fc.boolean(),
      startsParagraph: fc.boolean(),
      top: fc.double({ min: 0, max: 0.98, noNaN: true }),
    })
    .map(({ words, top, ...more }) => line(words.join(' '), top, more));
  const rawPages = fc
    .array(fc.array(rawLine, { maxLength: 6 }), { minLength: 1, maxLength: 8 })
    .map((all): RawPage[] => all.map((lines, index) => ({ number: index + 1, lines })));

  it('pages and headings have valid, ordered ranges', () => {
    const bare = (text: string): string => text.replace(/[\s-]/g, '');
    fc.assert(
      fc.property(rawPages, (raw) => {
        fc.pre(raw.some(({ lines }) => lines.length > 0));
        const { text, pages: found, headings } = assemble(raw);
        const places = found.flatMap(({ start, end }) => [start, end]);
        expect(places).toEqual([...places].sort((one, other) => one - other));
        expect(places.at(-1)).toBe(text.length);
        for (const { number, start, end } of found) {
          const written = bare(raw[number - 1]?.lines.map((one) => one.text).join('') ?? '');
          // Running lines may be missing; the other text is in the order of the lines.
          let at = 0;
          for (const character of bare(text.slice(start, end))) at = written.indexOf(character, at) + 1 || Infinity;
          expect(at).toBeLessThanOrEqual(written.length);
        }
        for (const heading of headings)
          expect(text.slice(heading.start, heading.end).startsWith(heading.title)).toBe(true);
      }),
    );
  });
});
