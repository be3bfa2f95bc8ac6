import fc from 'fast-check';
import { LimitExceeded, NoTextFound } from '../src/errors';
import { cleanText } from '../src/clean-text';
import { dateOf, oneLine, TextBuilder } from '../src/text-builder';

const limits = { characters: 100_000, pages: 100 };
/** Text with everything that files contain: lone surrogates, NUL, decomposed accents, line ends of every kind. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.constantFrom('\0', '\ud800', 'e\u0301', '\r', '\n', ' ', 'a'),
  ),
});

describe('a text that is built from pieces', () => {
  it('each range contains its appended text, cleaned', () => {
    const step = fc.record({ kind: fc.constantFrom('paragraph', 'line', 'heading', 'row'), text: anyText });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const builder = new TextBuilder(limits);
        const expected: (readonly [string, { start: number; end: number } | null])[] = steps.map(({ kind, text }) => {
          if (kind === 'paragraph') return [cleanText(text).trim(), builder.paragraph(text)];
          if (kind === 'line') return [cleanText(text).trim(), builder.line(text)];
          if (kind === 'heading') return [oneLine(text), builder.heading(1, text)];
          return [oneLine(text), builder.row([text])];
        });
        if (expected.every(([piece]) => piece === '')) return expect(() => builder.build()).toThrow(NoTextFound);
        const { text } = builder.build();
        for (const [piece, range] of expected)
          expect(range === null ? '' : text.slice(range.start, range.end)).toBe(piece);
      }),
    );
  });
  it('ranges of pages, headings and tables stay valid together', () => {
    const builder = new TextBuilder(limits);
    builder.startPage(1);
    builder.heading(2, ' Uno\n dos ');
    builder.startPage(2);
    builder.startTable('  Cuentas ');
    builder.row(['Año', 'Importe', ''], true);
    builder.row(['', '']);
    builder.row(['2023', '', '10', ' ']);
    builder.endTable();
    builder.paragraph('fin');
    const { text, pages, headings, tables } = builder.build();
    expect(text).toBe('Uno dos\n\nAño | Importe\n2023 |  | 10\n\nfin');
    expect(pages.map(({ number, start, end }) => [number, text.slice(start, end)])).toEqual([
      [1, 'Uno dos'],
      [2, 'Año | Importe\n2023 |  | 10\n\nfin'],
    ]);
    expect(headings).toEqual([{ level: 2, title: 'Uno dos', start: 0, end: 7 }]);
    expect(tables.map(({ title, rows }) => [title, rows.length])).toEqual([['Cuentas', 1]]);
  });
  it('a page without text is left out', () => {
    const builder = new TextBuilder(limits);
    for (const page of [1, 2, 3]) {
      builder.startPage(page);
      if (page !== 2) builder.paragraph('x');
    }
    expect(builder.build().pages.map(({ number }) => number)).toEqual([1, 3]);
  });
  it('the first line is the title if the file names none', () => {
    const builder = new TextBuilder(limits);
    builder.paragraph('Acta\nde la reunión');
    expect([builder.build().title, builder.build({ title: 'Otro' }).title]).toEqual(['Acta', 'Otro']);
  });
  it('a text beyond its limit is refused', () => {
    const builder = new TextBuilder({ characters: 10, pages: 1 });
    builder.paragraph('12345');
    expect(() => builder.paragraph('67890')).toThrow(LimitExceeded);
  });
  it('a text with too many pages is refused', () => {
    const builder = new TextBuilder({ characters: 10, pages: 1 });
    builder.startPage(1);
    builder.paragraph('1');
    expect(() => builder.startPage(2)).toThrow(LimitExceeded);
  });
});

describe('a date that a file states', () => {
  it.each([
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05T10:00:00+02:00', '2024-03-05T08:00:00.000Z'],
    ['ayer', null],
    ['', null],
    [undefined, null],
  ])('the stated date %s is %s', (stated, date) => {
    expect(dateOf(stated)).toBe(date);
  });
});
