import fc from 'fast-check';
import { misplaced, type Placed } from './hierarchy';
import type { Location } from './location-tree';

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
const applied = (known: readonly Location[], wrong: readonly Placed[]): Location[] => [
  ...known.map((each) => wrong.find(({ code }) => code === each.code) ?? each),
  ...wrong.filter(({ isNew }) => isNew),
];

describe('the hierarchy of folders', () => {
  it('that stands right is left alone', () => {
    const known = [
      root,
      location('L2', 'a'),
      location('L3', 'a/b', { parentCode: 'L2', ancestors: ['L1', 'L2', 'L3'] }),
    ];
    expect(misplaced(known, ['', 'a', 'a/b'], numbered())).toEqual([]);
  });

  it('is derived from paths: what hangs elsewhere is moved, and what documents lie in is made', () => {
    const known = [root, location('L2', 'a'), location('L3', 'a/b')];
    expect(
      misplaced(known, ['a/c/d'], numbered()).map(({ code, parentCode, name, ancestors, isNew }) => [
        ...[code, parentCode, name, ancestors.join(), isNew],
      ]),
    ).toEqual([
      ['L3', 'L2', 'b', 'L1,L2,L3', false],
      ['L100', 'L2', 'c', 'L1,L2,L100', true],
      ['L101', 'L100', 'd', 'L1,L2,L100,L101', true],
    ]);
  });

  it('derived twice is derived once, from whatever state', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const path = fc.array(name, { maxLength: 4 }).map((steps) => steps.join('/'));
    const folder = fc.record({ path, parent: fc.nat(6), removed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(folder, { maxLength: 6 }), fc.array(path, { maxLength: 6 }), (folders, directories) => {
        const known = [
          root,
          ...folders
            .filter(({ path: at }) => at !== '')
            .map(({ path: at, parent, removed }, index) =>
              location(`L${index + 2}`, at, {
                ...{ parentCode: `L${parent + 1}`, ancestors: [`L${parent + 1}`, `L${index + 2}`], removed },
              }),
            ),
        ];
        const after = applied(known, misplaced(known, directories, numbered()));
        expect(misplaced(after, directories, numbered())).toEqual([]);
        const hung = after.filter(({ ancestors }) => ancestors[0] === 'L1').map(({ relativePath }) => relativePath);
        expect(directories.filter((directory) => !hung.includes(directory))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
