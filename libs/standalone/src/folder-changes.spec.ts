import { listRoots, type WatchedRoot } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { FolderChanges } from './folder-changes';
import type { FolderWatch } from './folder-watch';
import { AddedFolders } from './known-folders';

const LOOK_MS = 5_000;

describe('folders that are added and deleted over the network', () => {
  let roots: WatchedRoot[];
  let told: string[];
  let folders: AddedFolders;
  let changes: FolderChanges;
  /** What the watch does with a folder that it is given. */
  let whenAdded: (path: string) => void;

  beforeEach(() => {
    jest.useFakeTimers();
    [roots, told, folders, whenAdded] = [[], [], new AddedFolders(), () => undefined];
    const calls = {
      send: (call: unknown) => Promise.resolve(call === listRoots ? { roots } : {}),
    } as unknown as Calls;
    const watch = {
      add: (path: string) => Promise.resolve(void (told.push(`add ${path}`), whenAdded(path))),
      remove: (path: string) => Promise.resolve(void told.push(`remove ${path}`)),
    } as unknown as FolderWatch;
    const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'standalone', 'test');
    changes = new FolderChanges({ calls, scope, directory: folders, watch });
    changes.start();
  });
  afterEach(async () => {
    await changes.close();
    jest.useRealTimers();
  });

  it('are watched from then on, and left when they are deleted, as often as that happens', async () => {
    for (const deleted of [false, true, false]) {
      roots = [{ path: '/srv/a', deleted, awaitsRun: false }];
      await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
    }
    expect(told).toEqual(['add /srv/a', 'remove /srv/a', 'add /srv/a']);
  });

  it('are watched once the run that was asked for with them has begun: its scan tells what it finds', async () => {
    roots = [{ path: '/srv/a', deleted: false, awaitsRun: true }];
    await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
    expect(told).toEqual([]);
    roots = [{ path: '/srv/a', deleted: false, awaitsRun: false }];
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(told).toEqual(['add /srv/a']);
  });

  it('are not tried again and again where they are refused', async () => {
    whenAdded = (path) => folders.forget(path);
    roots = [{ path: '/srv/a', deleted: false, awaitsRun: false }];
    await jest.advanceTimersByTimeAsync(5 * LOOK_MS);
    expect([told, folders.folders]).toEqual([['add /srv/a'], []]);
  });
});
