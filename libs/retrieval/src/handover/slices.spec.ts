import fc from 'fast-check';
import { slicesOf } from './slices';

describe('slices of several owners', () => {
  it('every row stands in one slice, in order, and no slice has too many', () => {
    const counts = fc.array(fc.nat(20), { maxLength: 8 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 9 }), (owners, most) => {
        const places = owners.map((count, owner) => ({ owner, count }));
        const slices = [
          ...slicesOf(
            places,
            ({ count }) => count,
            () => most,
          ),
        ];
        const rows = slices
          .flat()
          .flatMap(({ of, from, to }) =>
            Array.from({ length: to - from }, (_, index) => `${of.owner}:${from + index}`),
          );
        expect(rows).toEqual(
          owners.flatMap((count, owner) => Array.from({ length: count }, (_, row) => `${owner}:${row}`)),
        );
        for (const slice of slices)
          expect(slice.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThanOrEqual(most);
        expect(new Set(slices.flat().map(({ of }) => of.owner)).size).toBe(owners.length);
      }),
    );
  });

  it('a slice takes parts of several owners', () => {
    const slices = [
      ...slicesOf(
        [3, 1, 5],
        (count) => count,
        () => 4,
      ),
    ];
    expect(slices).toEqual([
      [
        { of: 3, from: 0, to: 3 },
        { of: 1, from: 0, to: 1 },
      ],
      [{ of: 5, from: 0, to: 4 }],
      [{ of: 5, from: 4, to: 5 }],
    ]);
  });
});
