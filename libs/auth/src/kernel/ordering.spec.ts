import { InvalidInput } from '@acervo/contracts';
import fc from 'fast-check';
import { completed, inOrder } from './ordering';

const places = fc.uniqueArray(fc.record({ key: fc.nat(50), position: fc.nat(5) }), { selector: ({ key }) => key });

describe('places', () => {
  it('places order all keys; equal places keep the order of the list', () => {
    fc.assert(
      fc.property(places, (list) => {
        const ordered = inOrder(list);
        const rank = (key: number): number => list.findIndex((place) => place.key === key);
        expect(ordered.toSorted()).toEqual(list.map(({ key }) => key).toSorted());
        for (const [index, key] of ordered.slice(1).entries()) {
          const [before, after] = [list[rank(ordered[index] ?? -1)]!, list[rank(key)]!];
          expect(
            before.position < after.position || (before.position === after.position && rank(before.key) < rank(key)),
          ).toBe(true);
        }
      }),
    );
  });
  it('a key named twice is refused', () => {
    expect(() =>
      inOrder([
        { key: 1, position: 1 },
        { key: 1, position: 2 },
      ]),
    ).toThrow(InvalidInput);
  });
  it('keys without a place follow the others in their previous order', () => {
    expect(completed([3, 1], [1, 2, 3, 4])).toEqual([3, 1, 2, 4]);
  });
});
