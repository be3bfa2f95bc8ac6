import { onNewDevices } from './devices';
import type { Location } from './location-tree';

const locationOf = (code: string, parentCode: string | null, device: string, removed = false): Location => ({
  ...{ code, parentCode, device, removed, name: code, relativePath: code, inode: code, ancestors: [code] },
});
/** A root, the share `nas` and its folder, and below it the share `archive` and its folder. */
const registered = [
  locationOf('root', null, 'root'),
  locationOf('nas', 'root', '47'),
  locationOf('sub', 'nas', '47'),
  locationOf('deep', 'sub', '47'),
  locationOf('archive', 'nas', '48'),
  locationOf('old', 'archive', '48'),
];
const moved = (found: Readonly<Record<string, string>>, all: readonly Location[] = registered) =>
  Object.fromEntries(
    onNewDevices(all, new Map(Object.entries({ root: 'root', ...found }))).map(({ code, device }) => [code, device]),
  );

describe('devices of folders that were not found', () => {
  it('folders keep a device whose number is unchanged or absent', () => {
    expect([moved({ nas: '47' }), moved({})]).toEqual([{}, {}]);
  });
  it('folders follow the new number of their share, nested shares do not', () => {
    expect(moved({ nas: '49' })).toEqual({ sub: '49', deep: '49' });
    expect(moved({ nas: '49', sub: '49', archive: '50' })).toEqual({ deep: '49', old: '50' });
  });
  it('a share stays separate when its parent receives its number', () => {
    expect(moved({ nas: '48' })).toEqual({
      ...{ sub: '48', deep: '48' },
      ...{ archive: '48-archive', old: '48-archive' },
    });
  });
  it('removed folders keep their device', () => {
    expect(moved({ nas: '49' }, [...registered.slice(0, 2), locationOf('sub', 'nas', '47', true)])).toEqual({});
  });
  it('the order of registration does not matter', () => {
    expect(moved({ nas: '49' }, registered.toReversed())).toEqual({ sub: '49', deep: '49' });
  });
});
