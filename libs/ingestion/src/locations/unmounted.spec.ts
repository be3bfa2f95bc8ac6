import type { FoundFile, FoundFolder } from '../files/walk';
import { LeftOut } from '../files/left-out';
import { type Location, matchFolders } from './location-tree';
import { unmountedFolders, withoutMountPoints } from './unmounted';

const known = (code: string, path: string, device: string, over: Partial<Location> = {}): Location => ({
  ...{ code, parentCode: path === '' ? null : 'L1', name: path, relativePath: path, device },
  ...{ inode: `${device}-${path}`, ancestors: ['L1', code] },
  ...over,
});
const root: FoundFolder = { path: '', name: '', parent: null, depth: 0, device: 'root', inode: '1' };
const folder = (path: string, device: string, parent = root): FoundFolder => ({
  ...{ path, name: path, parent, depth: 1, device, inode: `${device}-${path}` },
});
const fileIn = (holder: FoundFolder): FoundFile => ({
  folder: holder,
  name: 'a.txt',
  size: 1,
  mtime: '1',
  changeTime: '1',
});

const registered = [known('L1', '', 'root'), known('L2', 'share', '47'), known('L3', 'own', 'root')];
const inShare = known('L4', 'share/deep', '47', { parentCode: 'L2', ancestors: ['L1', 'L2', 'L4'] });
const leftOut = new LeftOut();
leftOut.exclude('', '/excluded/');
const unmounted = (found: readonly FoundFolder[], files: readonly FoundFile[] = [], all = registered): string[] =>
  unmountedFolders(all, matchFolders(all, [root, ...found]), { files, leftOut }).map(({ code }) => code);

describe('a share below a root', () => {
  const own = folder('own', 'root');
  it('is away where its mount point is an empty folder of the device of the root', () => {
    expect(unmounted([folder('share', 'root'), own])).toEqual(['L2']);
  });
  it('is away where its mount point went with it', () => {
    expect(unmounted([own])).toEqual(['L2']);
  });
  it('is there while it is on a device of its own, whatever its number, and however empty', () => {
    for (const device of ['47', '48']) expect(unmounted([folder('share', device), own])).toEqual([]);
  });
  it('was replaced where files lie in its place, at any depth', () => {
    const share = folder('share', 'root');
    expect(unmounted([share, own], [fileIn(folder('share/new', 'root', share))])).toEqual([]);
  });
  it('takes along what lay in it, and that alone is not away when the share is there', () => {
    const all = [...registered, inShare];
    expect(unmounted([folder('share', 'root'), own], [], all)).toEqual(['L2']);
    expect(unmounted([folder('share', '47'), own], [], all)).toEqual([]);
  });
  it('of another share is away where its mount point is an empty folder of that one, whatever its number now', () => {
    const old = known('L5', 'nas/old', '48', { parentCode: 'L2', ancestors: ['L1', 'L2', 'L5'] });
    const all = [known('L1', '', 'root'), known('L2', 'nas', '47'), old];
    for (const device of ['47', '49', '48']) {
      const nas = folder('nas', device);
      expect(unmounted([nas, folder('nas/old', device, nas)], [], all)).toEqual(['L5']);
      expect(unmounted([nas], [], all)).toEqual(['L5']);
      expect(unmounted([nas, folder('nas/old', '50', nas)], [], all)).toEqual([]);
    }
    expect(unmounted([folder('nas', 'root')], [], all)).toEqual(['L2', 'L5']);
  });
  it('that was known to be gone is not away', () => {
    expect(unmounted([own], [], [known('L1', '', 'root'), known('L2', 'share', '47', { removed: true })])).toEqual([]);
  });
  it('is not asked for where a rule keeps walks out', () => {
    const all = [known('L1', '', 'root'), known('L2', 'excluded', '47')];
    expect(unmounted([], [], all)).toEqual([]);
    const below = known('L3', 'excluded/share', '47', { parentCode: 'L2' });
    expect(unmounted([], [], [known('L1', '', 'root'), known('L2', 'excluded', 'root'), below])).toEqual([]);
  });
  it('is none where a folder of the root was emptied or removed', () => {
    expect(unmounted([folder('share', '47'), own])).toEqual([]);
    expect(unmounted([folder('share', '47')])).toEqual([]);
  });
});

describe('a mount point', () => {
  it('takes no folder of its share over, and what lies beside it stays', () => {
    const all = [...registered, inShare];
    const share = folder('share', 'root');
    const found = [root, share, folder('share/deep', 'root', share), folder('own', 'root')];
    const matches = matchFolders(all, found);
    const left = withoutMountPoints(found, matches, unmountedFolders(all, matches, { files: [], leftOut }));
    expect(left.map(({ path }) => path)).toEqual(['', 'share', 'own']);
  });
});
