import { TypeTree } from './type-tree';

const tree = new TypeTree(
  Object.entries({ A: null, B: 'A', C: 'B', D: 'A', LOOP: 'POOL', POOL: 'LOOP' }).map(([code, parentCode]) => ({
    ...{ code, parentCode, entityCode: null },
  })),
);

describe('the tree of types', () => {
  it('the way up begins with the type and ends at the top', () => {
    expect(tree.upwards('C')).toEqual(['C', 'B', 'A']);
    expect(tree.upwards('A')).toEqual(['A']);
    expect(tree.upwards('UNKNOWN')).toEqual([]);
  });
  it('the height counts the levels from a type down', () => {
    expect(['A', 'B', 'C', 'UNKNOWN'].map((code) => tree.heightOf(code))).toEqual([3, 2, 1, 0]);
  });
  it('a damaged tree ends the walk', () => {
    expect(tree.upwards('LOOP')).toEqual(['LOOP', 'POOL']);
  });
});
