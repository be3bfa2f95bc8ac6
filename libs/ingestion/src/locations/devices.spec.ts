import { onNewDevices } from './devices';
import type { Location } from './location-tree';

const known = (code: string, parentCode: string | null, device: string, removed = false): Location => ({
  ...{ code, parentCode, device, removed, name: code, relativePath: code, inode: code, ancestors: [code] },
});
/** A root, the share `nas`, what lies in it, and the share `archive` below, with what lies in that. */
const registered = [
  known('root', null, 'root'),
  known('nas', 'root', '47'),
  known('sub', 'nas', '47'),
  known('deep', 'sub', '47'),
  known('archive', 'nas', '48'),
  known('old', 'archive', '48'),
];
const moved = (found: Readonly<Record<string, string>>, all: readonly Location[] = registered) =>
  Object.fromEntries(
    onNewDevices(all, new Map(Object.entries({ root: 'root', ...found }))).map(({ code, device }) => [code, device]),
  );

describe('folders that were not found', () => {
  it('stay on their devices while these keep their numbers, or are not there', () => {
    expect([moved({ nas: '47' }), moved({})]).toEqual([{}, {}]);
  });
  it('go with the share that they lie in when that is numbered anew, and a share in it does not', () => {
    expect(moved({ nas: '49' })).toEqual({ sub: '49', deep: '49' });
    expect(moved({ nas: '49', sub: '49', archive: '50' })).toEqual({ deep: '49', old: '50' });
  });
  it('stay apart from what is around them when that is given the number of their share', () => {
    expect(moved({ nas: '48' })).toEqual({
      ...{ sub: '48', deep: '48' },
      ...{ archive: '48-archive', old: '48-archive' },
    });
  });
  it('are left as they are where they were known to be gone', () => {
    expect(moved({ nas: '49' }, [...registered.slice(0, 2), known('sub', 'nas', '47', true)])).toEqual({});
  });
  it('whatever order they are registered in', () => {
    expect(moved({ nas: '49' }, registered.toReversed())).toEqual({ sub: '49', deep: '49' });
  });
});
