import { listRoots, type WatchedRoot } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { FolderChanges } from './folder-changes';
import type { FolderWatch } from './watch/folder-watch';
import { AddedFolders } from './known-folders';

const LOOK_MS = 5_000;

describe('folders that users add and delete over HTTP', () => {
  let roots: WatchedRoot[];
  let notices: string[];
  let folders: AddedFolders;
  let changes: FolderChanges;
  /** Runs when the watch receives a folder. */
  let whenAdded: (path: string) => void;

  beforeEach(() => {
    jest.useFakeTimers();
    [roots, notices, folders, whenAdded] = [[], [], new AddedFolders(), () => undefined];
    const calls = {
      send: (call: unknown) => Promise.resolve(call === listRoots ? { roots } : {}),
    } as unknown as Calls;
    const watch = {
      add: (path: string) => Promise.resolve(void (notices.push(`add ${path}`), whenAdded(path))),
      remove: (path: string) => Promise.resolve(void notices.push(`remove ${path}`)),
    } as unknown as FolderWatch;
    const scope = new WorkScope('11111111-1111-4111-8111-111111111111', 'standalone', 'test');
    changes = new FolderChanges({ calls, scope, directory: folders, watch });
    changes.start();
  });
  afterEach(async () => {
    await changes.close();
    jest.useRealTimers();
  });

  it('an added folder is watched, and a deleted folder is not', async () => {
    for (const deleted of [false, true, false]) {
      roots = [{ path: '/srv/a', deleted, awaitsRun: false }];
      await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
    }
    expect(notices).toEqual(['add /srv/a', 'remove /srv/a', 'add /srv/a']);
  });

  it('an added folder is watched only after its first run begins', async () => {
    roots = [{ path: '/srv/a', deleted: false, awaitsRun: true }];
    await jest.advanceTimersByTimeAsync(2 * LOOK_MS);
    expect(notices).toEqual([]);
    roots = [{ path: '/srv/a', deleted: false, awaitsRun: false }];
    await jest.advanceTimersByTimeAsync(LOOK_MS);
    expect(notices).toEqual(['add /srv/a']);
  });

  it('a refused folder is offered to the watch once', async () => {
    whenAdded = (path) => folders.forget(path);
    roots = [{ path: '/srv/a', deleted: false, awaitsRun: false }];
    await jest.advanceTimersByTimeAsync(5 * LOOK_MS);
    expect([notices, folders.folders]).toEqual([['add /srv/a'], []]);
  });
});
