import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HungMount, until } from '@acervo/platform-testing';
import { FolderViews } from './folder-views';
import { FolderWatch } from './folder-watch';
import { ProcessView } from './process-view';

const SILENCE_MS = 1_000;

describe('a folder that is watched in a process of its own', () => {
  let place: string;
  let views: Map<string, ProcessView>;
  let scans: string[];
  let watch: FolderWatch;
  const at = (name: string): string => join(place, name);
  /** Waits for the scan that follows from changes of a folder, one after the other: its watch may be about to open. */
  const isWatched = async (folder: string): Promise<void> => {
    scans = [];
    let count = 0;
    await until(`a scan of ${folder} follows its changes`, () => {
      writeFileSync(join(folder, `${(count += 1)}.txt`), 'x');
      return scans.includes(folder);
    });
  };
  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-view-')));
    for (const name of ['one', 'two']) mkdirSync(at(name));
    [views, scans] = [new Map(), []];
    watch = new FolderWatch({
      rescan: async (folder) => void scans.push(folder),
      print: () => undefined,
      times: {
        ...{ quietMs: 20, settledMs: 100, longestMs: 1_000, longestGrowthMs: 60_000 },
        ...{ everyMs: 60_000, lookMs: 300 },
      },
      views: new FolderViews((folder) => {
        const view = new ProcessView(folder, SILENCE_MS);
        views.set(folder, view);
        return view;
      }),
    });
  });
  afterEach(async () => {
    await watch.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('changes cause scans, and links are resolved', async () => {
    await watch.add(at('one'));
    await isWatched(at('one'));
    symlinkSync(at('one'), at('link'));
    const link = new ProcessView(at('link'), SILENCE_MS);
    await until('the link is resolved', async () => (await link.look()).path === at('one'));
    const absent = new ProcessView(at('absent'), SILENCE_MS);
    expect(await absent.look()).toEqual({ path: at('absent'), identity: undefined });
    await Promise.all([link.close(), absent.close()]);
  });
  it.each([
    ['is killed', 'SIGKILL'],
    ['does not answer', 'SIGSTOP'],
  ] as const)('a folder whose process %s is scanned and watched again', async (_how, signal) => {
    await Promise.all(['one', 'two'].map((name) => watch.add(at(name))));
    const before = views.get(at('one'))?.pid ?? 0;
    scans = [];
    process.kill(before, signal);
    await until('the folder is scanned', () => scans.includes(at('one')));
    await until('it has another process', () => ![undefined, before].includes(views.get(at('one'))?.pid));
    await isWatched(at('one'));
    await isWatched(at('two'));
  });
  it('a share that never answers stops neither the program nor the watch of other folders', async () => {
    const mount = await HungMount.at(at('share'));
    if (mount === undefined) return;
    try {
      await watch.add(at('two'));
      void watch.add(at('share'));
      await until('the share is scanned, though its watch is not open', () => scans.includes(at('share')));
      await isWatched(at('two'));
    } finally {
      await mount.unmount();
    }
  });
});
