import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HungMount } from '@acervo/platform-testing';
import { FolderViews } from './folder-views';
import { FolderWatch } from './folder-watch';
import { ProcessView } from './process-view';

jest.setTimeout(60_000);

const SILENCE_MS = 1_000;

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !condition(); tries += 1) await pause(20);
};

describe('a folder that is watched in a process of its own', () => {
  let place: string;
  let views: Map<string, ProcessView>;
  let scans: string[];
  let watch: FolderWatch;
  const at = (name: string): string => join(place, name);
  /** Whether a scan of the folder follows from the change. */
  const notices = async (folder: string, change: () => void): Promise<boolean> => {
    scans = [];
    change();
    await until(() => scans.includes(folder));
    return scans.includes(folder);
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
    expect(await notices(at('one'), () => writeFileSync(join(at('one'), 'a.txt'), 'x'))).toBe(true);
    symlinkSync(at('one'), at('link'));
    const link = new ProcessView(at('link'), SILENCE_MS);
    expect((await link.look()).path).toBe(at('one'));
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
    expect(await notices(at('one'), () => process.kill(before, signal))).toBe(true);
    await until(() => ![undefined, before].includes(views.get(at('one'))?.pid));
    // The new watch is open once a scan has followed it.
    await until(() => scans.length > 1);
    await pause(500);
    expect(await notices(at('one'), () => writeFileSync(join(at('one'), 'a.txt'), 'x'))).toBe(true);
    expect(await notices(at('two'), () => writeFileSync(join(at('two'), 'a.txt'), 'x'))).toBe(true);
  });
  it('a share that never answers stops neither the program nor the watch of other folders', async () => {
    const mount = await HungMount.at(at('share'));
    if (mount === undefined) return;
    try {
      const started = performance.now();
      await watch.add(at('two'));
      await watch.add(at('share'));
      expect(performance.now() - started).toBeLessThan(30_000);
      expect(scans).toContain(at('share'));
      let longest = 0;
      for (let turn = 0; turn < 50; turn += 1) {
        const before = performance.now();
        await pause(20);
        longest = Math.max(longest, performance.now() - before);
      }
      expect(longest).toBeLessThan(SILENCE_MS);
      expect(await notices(at('two'), () => writeFileSync(join(at('two'), 'b.txt'), 'x'))).toBe(true);
    } finally {
      await mount.unmount();
    }
  });
});
