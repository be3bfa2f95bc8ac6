import fc from 'fast-check';
import type { FoundCopies } from '../legs/opensearch/copies/chunk-copies';
import { copyDifference, type Rows } from './copy-difference';

const rows = (generation: number, ordinals: readonly number[]): Rows => ({
  ...{ generation, rows: ordinals.length, last: Math.max(-1, ...ordinals) },
});
const copies = (generation: number, ordinals: readonly number[]): FoundCopies[] =>
  ordinals.length === 0 ? [] : [{ documentId: 'd', generation, count: ordinals.length, last: Math.max(...ordinals) }];
const compare = (chunks: readonly number[], copied: readonly number[]) =>
  copyDifference(copies(3, copied), [rows(3, chunks)], rows(3, chunks));

describe('copies against chunks', () => {
  it.each<[string, number[], number[], [number, number]]>([
    ['match all chunks', [0, 1, 2], [0, 1, 2], [0, 0]],
    ['lack a chunk in the middle', [0, 1, 2], [0, 2], [1, 0]],
    ['lack the last chunk', [0, 1, 2], [0, 1], [1, 0]],
    ['lack all chunks', [0, 1, 2], [], [3, 0]],
    ['include one without a chunk', [0, 1], [0, 1, 900], [0, 1]],
    ['include one without a chunk instead of another', [0, 1, 2], [0, 1, 900], [1, 1]],
    ['include one of a deleted chunk', [1, 2], [0, 1, 2], [0, 1]],
  ])('copies that %s are reported', (_name, chunks, copied, [copiesMissing, copiesExtra]) => {
    expect(compare(chunks, copied)).toEqual({ copiesMissing, copiesExtra });
  });

  it('copies without any chunk of their generation count as extra', () => {
    const found = [...copies(2, [0, 1]), ...copies(3, [0])];
    expect(copyDifference(found, [rows(3, [0])], rows(3, [0]))).toEqual({ copiesMissing: 0, copiesExtra: 2 });
    expect(copyDifference(copies(2, [0, 1]), [], undefined)).toEqual({ copiesMissing: 0, copiesExtra: 2 });
  });

  it('a generation that is not searched has correct copies with its chunks', () => {
    expect(copyDifference(copies(4, [0, 1]), [rows(4, [0, 1])], undefined)).toEqual({
      ...{ copiesMissing: 0, copiesExtra: 0 },
    });
  });

  it('differences match the sets; without extra copies the missing count is exact', () => {
    const ordinals = fc.uniqueArray(fc.nat(12));
    fc.assert(
      fc.property(fc.nat(8), ordinals, (count, copied) => {
        const whole = Array.from({ length: count }, (_, ordinal) => ordinal);
        const lacking = whole.filter((each) => !copied.includes(each)).length;
        const over = copied.filter((each) => each >= count).length;
        const { copiesMissing, copiesExtra } = compare(whole, copied);
        expect(copiesMissing + copiesExtra > 0).toBe(lacking + over > 0);
        expect(copiesExtra > 0).toBe(over > 0);
        if (over === 0) expect(copiesMissing).toBe(lacking);
        expect(copiesMissing).toBeLessThanOrEqual(lacking);
        expect(copiesExtra).toBeLessThanOrEqual(over);
      }),
    );
  });
});
