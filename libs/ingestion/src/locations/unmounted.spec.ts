import { ExcludedEntries, type FoundFile, type FoundFolder } from '@acervo/files';
import { type Location, matchFolders } from './location-tree';
import { unmountedFolders, withoutMountPoints } from './unmounted';

const locationOf = (code: string, path: string, device: string, over: Partial<Location> = {}): Location => ({
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

const registered = [locationOf('L1', '', 'root'), locationOf('L2', 'share', '47'), locationOf('L3', 'own', 'root')];
const inShare = locationOf('L4', 'share/deep', '47', { parentCode: 'L2', ancestors: ['L1', 'L2', 'L4'] });
const leftOut = new ExcludedEntries();
leftOut.exclude('', '/excluded/');
const unmounted = (found: readonly FoundFolder[], files: readonly FoundFile[] = [], all = registered): string[] =>
  unmountedFolders(all, matchFolders(all, [root, ...found]), { files, leftOut }).map(({ code }) => code);

describe('a share below a root', () => {
  const ownMount = folder('own', 'root');
  it('an empty mount point on the device of the root is unmounted', () => {
    expect(unmounted([folder('share', 'root'), ownMount])).toEqual(['L2']);
  });
  it('a share whose mount point disappeared is unmounted', () => {
    expect(unmounted([ownMount])).toEqual(['L2']);
  });
  it('an empty share on any device of its own is mounted', () => {
    for (const device of ['47', '48']) expect(unmounted([folder('share', device), ownMount])).toEqual([]);
  });
  it('files in place of a share, at any depth, replace the share', () => {
    const share = folder('share', 'root');
    expect(unmounted([share, ownMount], [fileIn(folder('share/new', 'root', share))])).toEqual([]);
  });
  it('a folder inside a share is never unmounted by itself', () => {
    const all = [...registered, inShare];
    expect(unmounted([folder('share', 'root'), ownMount], [], all)).toEqual(['L2']);
    expect(unmounted([folder('share', '47'), ownMount], [], all)).toEqual([]);
  });
  it('a nested share with an empty or absent mount point is unmounted', () => {
    const old = locationOf('L5', 'nas/old', '48', { parentCode: 'L2', ancestors: ['L1', 'L2', 'L5'] });
    const all = [locationOf('L1', '', 'root'), locationOf('L2', 'nas', '47'), old];
    for (const device of ['47', '49', '48']) {
      const nas = folder('nas', device);
      expect(unmounted([nas, folder('nas/old', device, nas)], [], all)).toEqual(['L5']);
      expect(unmounted([nas], [], all)).toEqual(['L5']);
      expect(unmounted([nas, folder('nas/old', '50', nas)], [], all)).toEqual([]);
    }
    expect(unmounted([folder('nas', 'root')], [], all)).toEqual(['L2', 'L5']);
  });
  it('a removed share is not unmounted', () => {
    expect(
      unmounted([ownMount], [], [locationOf('L1', '', 'root'), locationOf('L2', 'share', '47', { removed: true })]),
    ).toEqual([]);
  });
  it('a share that a rule excludes is not unmounted', () => {
    const all = [locationOf('L1', '', 'root'), locationOf('L2', 'excluded', '47')];
    expect(unmounted([], [], all)).toEqual([]);
    const below = locationOf('L3', 'excluded/share', '47', { parentCode: 'L2' });
    expect(unmounted([], [], [locationOf('L1', '', 'root'), locationOf('L2', 'excluded', 'root'), below])).toEqual([]);
  });
  it('an emptied or removed folder of the root is no share', () => {
    expect(unmounted([folder('share', '47'), ownMount])).toEqual([]);
    expect(unmounted([folder('share', '47')])).toEqual([]);
  });
});

describe('a mount point', () => {
  it('a mount point takes over no folder of its share', () => {
    const all = [...registered, inShare];
    const share = folder('share', 'root');
    const found = [root, share, folder('share/deep', 'root', share), folder('own', 'root')];
    const matches = matchFolders(all, found);
    const left = withoutMountPoints(found, matches, unmountedFolders(all, matches, { files: [], leftOut }));
    expect(left.map(({ path }) => path)).toEqual(['', 'share', 'own']);
  });
});
