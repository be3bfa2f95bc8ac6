import fc from 'fast-check';
import {
  chunk,
  countTokens,
  defaultChunkOptions,
  type ExtractedText,
  plainText,
  type Range,
  type Table,
} from './index';

const small = { ...defaultChunkOptions, target: 30, most: 50 };
const visible = (text: string): string => text.replace(/\s/g, '');

/** A text with tables, headings and pages at arbitrary positions. */
const documents: fc.Arbitrary<ExtractedText> = fc
  .array(
    fc.record({
      lines: fc.array(
        fc.constantFrom(
          'agua.',
          'riego',
          'x'.repeat(90),
          '',
          '# Título',
          '😀'.repeat(70),
          '¿Qué? Sí.',
          '- uno',
          '\t',
          '漢字',
        ),
        { minLength: 1, maxLength: 12 },
      ),
      kind: fc.constantFrom('prose', 'table', 'bare table', 'heading', 'page'),
    }),
    { maxLength: 14 },
  )
  .map((blocks) => {
    let text = '';
    const found = { tables: [] as Table[], headings: [] as ExtractedText['headings'][number][], ends: [] as number[] };
    for (const { lines, kind } of blocks) {
      const start = text.length;
      const rows: Range[] = lines.map((line) => {
        text += `${line}\n`;
        return { start: text.length - line.length - 1, end: text.length - 1 };
      });
      const range = { start, end: text.length };
      if (kind === 'table') found.tables.push({ ...range, title: 'T', header: rows[0] ?? null, rows: rows.slice(1) });
      if (kind === 'bare table') found.tables.push({ ...range, title: null, header: null, rows });
      if (kind === 'heading') found.headings.push({ start, end: start + 1, level: 1 + (start % 3), title: 'H' });
      if (kind === 'page') found.ends.push(text.length);
    }
    const ends = [...new Set([...found.ends, text.length])];
    const pages = ends.map((end, index) => ({ number: index + 1, start: ends[index - 1] ?? 0, end }));
    return plainText(text, { ...found, pages: found.ends.length === 0 ? [] : pages, title: 'Un título' });
  });

const sheet = (rows: number): ExtractedText => {
  const header = '| Fecha | Importe | Proveedor |';
  const lines = [
    header,
    ...Array.from({ length: rows }, (_, row) => `| 2024-03-${row} | ${row * 10} | Riegos ${row} |`),
  ];
  let position = 'Intro.\n\n'.length;
  const ranges = lines.map((line) => {
    const range = { start: position, end: position + line.length };
    position += line.length + 1;
    return range;
  });
  const text = `Intro.\n\n${lines.join('\n')}\n\nAfter the table.`;
  const [first = { start: 0, end: 0 }, ...others] = ranges;
  const table = { start: first.start, end: position - 1, title: 'Pagos', header: first, rows: others };
  return plainText(text, { tables: [table], title: 'Cuentas' });
};

describe('chunks', () => {
  it('chunks match their ranges and cover every character once, in order', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const chunks = chunk(document, small);
        let end = 0;
        chunks.forEach((each, index) => {
          expect(each).toMatchObject({ ordinal: index, text: document.text.slice(each.start, each.end) });
          expect(each.start).toBeGreaterThanOrEqual(end);
          expect(countTokens(each.text)).toBeLessThanOrEqual(small.most);
          expect(each.text.isWellFormed()).toBe(true);
          end = each.end;
        });
        expect(visible(chunks.map(({ text }) => text).join(''))).toBe(visible(document.text));
      }),
      { numRuns: 300 },
    );
  });

  it('a chunk never crosses a page', () => {
    fc.assert(
      fc.property(documents, (document) => {
        for (const { start, end, page: number } of chunk(document, small)) {
          const page = document.pages.find((each) => each.number === number);
          if (document.pages.length === 0) expect(number).toBeNull();
          else expect(start >= (page?.start ?? Infinity) && end <= (page?.end ?? -1)).toBe(true);
        }
      }),
    );
  });

  it('a large table is chunked by rows, with caption and columns', () => {
    const document = sheet(60);
    const chunks = chunk(document, { ...defaultChunkOptions, target: 60, most: 90 });
    const [intro, first, ...others] = chunks;
    const after = others.pop();
    expect(intro?.text).toBe('Intro.');
    expect(first?.text.startsWith('| Fecha | Importe | Proveedor |\n| 2024-03-0 |')).toBe(true);
    expect(first?.context).toBe('Cuentas\nPagos');
    expect(others.length).toBeGreaterThan(5);
    for (const { text, context } of others) {
      expect(context).toBe('Cuentas\nPagos\n| Fecha | Importe | Proveedor |');
      for (const line of text.split('\n')) expect(line).toMatch(/^\| 2024-03-\d+ \| \d+ \| Riegos \d+ \|$/);
    }
    expect(after).toMatchObject({ text: 'After the table.', context: 'Cuentas' });
  });

  it('a small table shares a chunk with the surrounding prose', () => {
    const [only, ...none] = chunk(sheet(2));
    expect(none).toEqual([]);
    expect(only?.text).toContain('Intro.');
    expect(only?.text).toContain('After the table.');
    for (const { text } of chunk(sheet(40), { ...defaultChunkOptions, target: 10, most: 40 }))
      expect(text).not.toBe('| Fecha | Importe | Proveedor |');
  });

  it('a context never exceeds the limit of a hand-over', () => {
    const long = { start: 0, end: 1, level: 1, title: '😀'.repeat(1_500) };
    const [only] = chunk(plainText('x y', { headings: [long] }));
    expect(only?.context.length).toBeLessThanOrEqual(1_000);
    expect(only?.context.isWellFormed()).toBe(true);
  });

  it('a chunk has its page, and its headings as context', () => {
    const text = 'Intro text here.\nDeep text here.';
    const pages = [
      { number: 1, start: 0, end: 16 },
      { number: 2, start: 16, end: text.length },
    ];
    const headings = [
      { level: 1, start: 0, end: 5, title: 'Intro' },
      { level: 2, start: 17, end: 21, title: 'Deep' },
    ];
    const [first, second] = chunk(plainText(text, { pages, headings, title: 'Intro' }));
    expect(first).toMatchObject({ page: 1, context: 'Intro' });
    expect(second).toMatchObject({ page: 2, context: 'Intro › Deep' });
  });

  it('text outside of all pages is in chunks without a page', () => {
    const text = 'Antes de todo.\n\nPrimera hoja.\n\nEntre hojas.\n\nSegunda hoja.\n\nDespués.';
    const page = (number: number, words: string) => ({
      number,
      start: text.indexOf(words),
      end: text.indexOf(words) + words.length,
    });
    const pages = [page(1, 'Primera hoja.'), page(2, 'Segunda hoja.')];
    expect(chunk(plainText(text, { pages })).map(({ page: number, text: body }) => [number, body])).toEqual([
      [null, 'Antes de todo.'],
      [1, 'Primera hoja.'],
      [null, 'Entre hojas.'],
      [2, 'Segunda hoja.'],
      [null, 'Después.'],
    ]);
  });

  it('later chunks have the document title as context', () => {
    const text = `Reglamento de riego\n\n${'El turno se anuncia en el tablón. '.repeat(80)}`;
    const chunks = chunk(plainText(text, { title: 'Reglamento de riego' }));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ context }) => context)).toEqual(['', ...chunks.slice(1).map(() => 'Reglamento de riego')]);
  });

  it('each passage gets its detected language', () => {
    const text = `${'The pump is cleaned every day by the team. '.repeat(4)}\n\n${'La bomba se limpia todos los días por el equipo. '.repeat(4)}`;
    const languages = chunk(plainText(text), { ...defaultChunkOptions, target: 35, most: 80 }).map(
      ({ language }) => language,
    );
    expect(languages).toEqual(expect.arrayContaining(['en', 'es']));
  });

  it('100,000 headings and tables are chunked', () => {
    const block = '# a\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n';
    const places = Array.from({ length: 50_000 }, (_, index) => index * block.length);
    const headings = places.map((start) => ({ start, end: start + 3, level: 1, title: 'a' }));
    const tables = places.map((at) => ({
      ...{ title: null, start: at + 5, end: at + 32 },
      ...{ header: { start: at + 5, end: at + 14 }, rows: [{ start: at + 23, end: at + 32 }] },
    }));
    expect(chunk(plainText(block.repeat(50_000), { headings, tables })).length).toBeGreaterThan(1_000);
  });

  it('20,000 rows and a megabyte without spaces are chunked', () => {
    expect(chunk(sheet(20_000)).length).toBeGreaterThan(500);
    expect(chunk(plainText('x'.repeat(1_000_000))).length).toBeGreaterThan(100);
  });
});
