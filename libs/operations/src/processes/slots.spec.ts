import fc from 'fast-check';
import { ProcessRefused } from './processes.errors';
import { exchangedPlaces, type Placed } from './slots';

const apply = (list: readonly Placed[], moved: readonly Placed[]): readonly Placed[] => {
  const places = new Map(moved.map(({ code, position }) => [code, position]));
  return list
    .map(({ code, position }) => ({ code, position: places.get(code) ?? position }))
    .toSorted((one, other) => one.position - other.position);
};

describe('things that take each other’s places', () => {
  it('named things come in their order, the others stay where they are', () => {
    const lists = fc
      .uniqueArray(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 })
      .chain((numbers) => {
        const list = numbers.toSorted((a, b) => a - b).map((position) => ({ code: `C${position}`, position }));
        return fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(
            list.map(({ code }) => code),
            { minLength: 1 },
          ),
        );
      });
    fc.assert(
      fc.property(lists, ([list, codes]) => {
        const named = list.filter(({ code }) => codes.includes(code));
        const after = apply(list, exchangedPlaces(codes, named, 'codes'));
        const queue = [...codes];
        const expected = list.map(({ code }) => (codes.includes(code) ? queue.shift() : code));
        expect(after.map(({ code }) => code)).toEqual(expected);
        expect(after.map(({ position }) => position)).toEqual(list.map(({ position }) => position));
      }),
    );
  });
  it('a code that is named twice is refused', () => {
    expect(() => exchangedPlaces(['A', 'A'], [{ code: 'A', position: 1 }], 'codes')).toThrow(ProcessRefused);
  });
});
