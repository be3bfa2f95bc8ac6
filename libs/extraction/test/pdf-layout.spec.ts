import fc from 'fast-check';
import { blocksOf } from '../src/readers/pdf/columns';
import { rowsOf } from '../src/readers/pdf/rows';
import type { Segment } from '../src/readers/pdf/segments';

const segment = (text: string, left: number, base: number, more: Partial<Segment> = {}): Segment => ({
  text,
  left,
  right: left + text.length * 5,
  base,
  size: 10,
  bold: false,
  order: base * 1_000 + left,
  ...more,
});

const prose = (name: string, left: number, top: number, count: number): Segment[] =>
  Array.from({ length: count }, (_, row) =>
    segment(`${name}${row} fills its column from edge to edge`, left, top + row * 12),
  );

const begins = (blocks: Segment[][]): string[] => blocks.map((block) => block[0]?.text.split(' ')[0] ?? '');

describe('the blocks of a page', () => {
  it('blocks are columns, divided by segments across the page', () => {
    const title = segment('T '.repeat(45), 50, 30);
    const across = segment('X '.repeat(45), 50, 200);
    const page = [
      ...prose('B', 300, 60, 5),
      title,
      ...prose('A', 50, 66, 5),
      across,
      ...prose('D', 300, 230, 4),
      ...prose('C', 50, 230, 4),
    ];
    expect(begins(blocksOf(page))).toEqual(['T', 'A0', 'B0', 'X', 'C0', 'D0']);
  });
  it('three columns give three blocks', () => {
    expect(begins(blocksOf([...prose('C', 550, 60, 5), ...prose('A', 50, 60, 5), ...prose('B', 300, 60, 5)]))).toEqual([
      'A0',
      'B0',
      'C0',
    ]);
  });
  it('table cells in rows give one block', () => {
    const rows = [0, 1, 2, 3, 4].flatMap((row) => [
      segment(`cell ${row}`, 50, 60 + row * 12),
      segment(`${row}`, 300, 60 + row * 12),
    ]);
    expect(blocksOf(rows)).toHaveLength(1);
  });
  it('a list with its marks gives one block', () => {
    const list = prose('text', 80, 60, 5).flatMap((text, row) => [segment(`${row}.`, 50, 60 + row * 12), text]);
    expect(blocksOf(list)).toHaveLength(1);
  });
  it('a header with its page number stays above the columns', () => {
    const header = [segment('Annals', 50, 20), segment('12', 520, 20)];
    expect(begins(blocksOf([...header, ...prose('A', 50, 80, 5), ...prose('B', 300, 80, 5)]))).toEqual([
      'Annals',
      'A0',
      'B0',
    ]);
  });
  it('blocks contain every segment once, for any layout', () => {
    const any = fc.record({
      left: fc.integer({ min: 0, max: 600 }),
      base: fc.integer({ min: 0, max: 800 }),
      size: fc.integer({ min: 1, max: 40 }),
      text: fc.string({ minLength: 1, maxLength: 40 }),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), (drawn) => {
        const page = drawn.map(({ text, left, base, size }, order) => segment(text, left, base, { size, order }));
        const blocks = blocksOf(page).flat();
        expect(new Set(blocks)).toEqual(new Set(page));
        expect(blocks).toHaveLength(page.length);
        expect(rowsOf(page).reduce((sum, { text }) => sum + text.replaceAll(' ', '').length, 0)).toBe(
          page.reduce((sum, { text }) => sum + text.replaceAll(' ', '').length, 0),
        );
      }),
    );
  });
});

describe('the rows of a block', () => {
  const text = (...segments: Segment[]): string[] => rowsOf(segments).map((row) => row.text);

  it('superscripts and subscripts belong to their row, in file order', () => {
    const x = segment('x', 50, 100, { order: 0 });
    const above = segment('−1', 55, 96, { size: 7, order: 1 });
    const below = segment('2', 55, 103, { size: 7, order: 2 });
    expect(text(x, above, below, segment('+ y', 66, 100, { order: 3 }))).toEqual(['x−1 2 + y']);
  });
  it('rows of right-to-left letters are read from right to left', () => {
    expect(text(segment('שלום', 100, 50), segment('עולם', 60, 50))).toEqual(['שלום עולם']);
  });
  it('wide gaps separate cells', () => {
    expect(rowsOf([segment('Total', 50, 10), segment('30', 200, 10)])).toMatchObject([
      { hasCells: true, text: 'Total 30' },
    ]);
  });
});
