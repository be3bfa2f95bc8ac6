import fc from 'fast-check';
import { misplaced, type Placed } from './hierarchy';
import type { Location } from '../locations/location-tree';

const location = (code: string, relativePath: string, over: Partial<Location> = {}): Location => ({
  ...{ code, parentCode: 'L1', name: relativePath.split('/').at(-1) ?? '', relativePath },
  ...{ device: 'd', inode: code, ancestors: ['L1', code] },
  ...over,
});
const root: Location = location('L1', '', { parentCode: null, name: 'actas', ancestors: ['L1'] });
const numbered = (): (() => string) => {
  let next = 100;
  return () => `L${next++}`;
};
const applied = (registered: readonly Location[], wrong: readonly Placed[]): Location[] => [
  ...registered.map((each) => wrong.find(({ code }) => code === each.code) ?? each),
  ...wrong.filter(({ isNew }) => isNew),
];

describe('the hierarchy of folders', () => {
  it('a correct hierarchy is unchanged', () => {
    const registered = [
      root,
      location('L2', 'a'),
      location('L3', 'a/b', { parentCode: 'L2', ancestors: ['L1', 'L2', 'L3'] }),
    ];
    expect(misplaced(registered, ['', 'a', 'a/b'], numbered())).toEqual([]);
  });

  it('folders are moved and created after the paths of documents', () => {
    const registered = [root, location('L2', 'a'), location('L3', 'a/b')];
    expect(
      misplaced(registered, ['a/c/d'], numbered()).map(({ code, parentCode, name, ancestors, isNew }) => [
        code,
        parentCode,
        name,
        ancestors.join(),
        isNew,
      ]),
    ).toEqual([
      ['L3', 'L2', 'b', 'L1,L2,L3', false],
      ['L100', 'L2', 'c', 'L1,L2,L100', true],
      ['L101', 'L100', 'd', 'L1,L2,L100,L101', true],
    ]);
  });

  it('a repaired hierarchy needs no second repair', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const path = fc.array(name, { maxLength: 4 }).map((steps) => steps.join('/'));
    const folder = fc.record({ path, parent: fc.nat(6), removed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(folder, { maxLength: 6 }), fc.array(path, { maxLength: 6 }), (folders, directories) => {
        const registered = [
          root,
          ...folders
            .filter(({ path: at }) => at !== '')
            .map(({ path: at, parent, removed }, index) =>
              location(`L${index + 2}`, at, {
                ...{ parentCode: `L${parent + 1}`, ancestors: [`L${parent + 1}`, `L${index + 2}`], removed },
              }),
            ),
        ];
        const after = applied(registered, misplaced(registered, directories, numbered()));
        expect(misplaced(after, directories, numbered())).toEqual([]);
        const hung = after.filter(({ ancestors }) => ancestors[0] === 'L1').map(({ relativePath }) => relativePath);
        expect(directories.filter((directory) => !hung.includes(directory))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
