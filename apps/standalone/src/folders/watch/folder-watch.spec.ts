import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { watch as chokidar } from 'chokidar';
import { DirectView } from './folder-view';
import { FolderViews } from './folder-views';
import { FolderWatch } from './folder-watch';
import type { Watch } from './tree-watch';

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !condition(); tries += 1) await pause(20);
};

describe('a watched folder', () => {
  let place: string;
  let scans: number;
  let scansAtFirst: number;
  let printed: string[];
  let watch: FolderWatch;
  const slow = {
    ...{ quietMs: 20, settledMs: 100, longestMs: 1_000, longestGrowthMs: 60_000 },
    ...{ everyMs: 60_000, lookMs: 60_000 },
  };
  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-watch-')));
  });
  const open = async (times: Partial<typeof slow> = {}, scanMs = 0, watching?: Watch): Promise<void> => {
    scans = 0;
    printed = [];
    const rescan = async (): Promise<void> => {
      scans += 1;
      await pause(scanMs);
    };
    const print = (line: string): number => printed.push(line);
    watch = new FolderWatch({
      rescan,
      print,
      times: { ...slow, ...times },
      views: new FolderViews((folder) => new DirectView(folder, watching)),
    });
    await watch.add(place);
    scansAtFirst = scans;
    scans = 0;
  };
  /** Whether a change causes a scan. */
  const notices = async (change: () => void): Promise<boolean> => {
    const before = scans;
    change();
    await until(() => scans > before);
    return scans > before;
  };
  const overlooks = async (change: () => void): Promise<boolean> => {
    const before = scans;
    change();
    await pause(250);
    return scans === before;
  };
  afterEach(async () => {
    await watch.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('a new watch scans its folder once', async () => {
    await open();
    expect(scansAtFirst).toBe(1);
  });
  it('a burst of changes causes one scan', async () => {
    await open({ quietMs: 100, longestMs: 5_000, everyMs: 60_000 });
    mkdirSync(join(place, 'sub'));
    for (let count = 0; count < 20; count += 1) writeFileSync(join(place, 'sub', `${count}.txt`), 'x');
    await until(() => scans > 0);
    await pause(300);
    expect(scans).toBe(1);
  });
  it('a folder that changes all the time is still scanned', async () => {
    await open({ quietMs: 300, longestMs: 400, everyMs: 60_000 });
    for (let count = 0; count < 12; count += 1) {
      writeFileSync(join(place, `busy-${count}.txt`), 'x');
      await pause(80);
    }
    expect(scans).toBeGreaterThan(0);
  });
  it('a growing file is scanned once, when it has stopped growing', async () => {
    await open({ quietMs: 200, settledMs: 500, longestMs: 1_000 });
    for (let count = 0; count < 20; count += 1) {
      appendFileSync(join(place, 'busy.txt'), 'x');
      await pause(80);
    }
    expect(scans).toBe(0);
    await until(() => scans > 0);
    await pause(700);
    expect(scans).toBe(1);
  });
  it('a growing file does not delay the scan of another one', async () => {
    await open({ quietMs: 200, settledMs: 1_000, longestMs: 60_000 });
    for (let count = 0; count < 20; count += 1) {
      appendFileSync(join(place, 'busy.txt'), 'x');
      if (count === 8) writeFileSync(join(place, 'other.txt'), 'x');
      await pause(80);
    }
    expect(scans).toBe(1);
  });
  it('a small change is scanned within seconds', async () => {
    scans = 0;
    watch = new FolderWatch({
      ...{ rescan: () => Promise.resolve(void (scans += 1)), print: () => undefined },
      views: new FolderViews((folder) => new DirectView(folder)),
    });
    await watch.add(place);
    const started = performance.now();
    expect(await notices(() => writeFileSync(join(place, 'one.txt'), 'x'))).toBe(true);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
  it('a change during a scan causes another scan after it', async () => {
    await open({ quietMs: 20, longestMs: 1_000, everyMs: 60_000 }, 400);
    writeFileSync(join(place, 'one.txt'), 'x');
    await until(() => scans === 1);
    writeFileSync(join(place, 'two.txt'), 'x');
    await pause(200);
    expect(scans).toBe(1);
    await until(() => scans === 2);
    expect(scans).toBe(2);
  });
  it('an excluded file causes no scan', async () => {
    await open({ quietMs: 20, longestMs: 100 });
    expect(await overlooks(() => writeFileSync(join(place, '~$lock.docx'), 'x'))).toBe(true);
    expect(await overlooks(() => writeFileSync(join(place, '.hidden'), 'x'))).toBe(true);
  });
  it('a change during the first scan causes another scan', async () => {
    watch = new FolderWatch({
      ...{ rescan: () => Promise.resolve(void (scans += 1)), print: () => undefined, times: slow },
      views: new FolderViews((folder) => new DirectView(folder)),
    });
    scans = 0;
    const first = async (): Promise<void> => {
      writeFileSync(join(place, 'one.txt'), 'x');
      await pause(200);
      expect(scans).toBe(0);
    };
    await watch.add(place, first);
    await until(() => scans > 0);
    expect(scans).toBe(1);
  });
  it('files created, changed or removed at any depth cause a scan', async () => {
    mkdirSync(join(place, 'a', 'b'), { recursive: true });
    const file = join(place, 'a', 'b', 'one.txt');
    writeFileSync(file, 'x');
    await open(slow);
    expect(await notices(() => writeFileSync(file, 'y'))).toBe(true);
    expect(await notices(() => rmSync(file))).toBe(true);
    expect(await notices(() => mkdirSync(join(place, 'new', 'er'), { recursive: true }))).toBe(true);
    await pause(100);
    expect(await notices(() => writeFileSync(join(place, 'new', 'er', 'two.txt'), 'x'))).toBe(true);
  });
  it('a watch opens folders only, not files', async () => {
    mkdirSync(join(place, 'sub'));
    for (let count = 0; count < 50; count += 1) writeFileSync(join(place, 'sub', `${count}.txt`), 'x');
    const opened: ReturnType<Watch>[] = [];
    const watching: Watch = (...args) => {
      const made = chokidar(...args);
      opened.push(made);
      return made;
    };
    await open(slow, 0, watching);
    const [{ length: watchers }, watched] = [opened, opened[0]?.getWatched() ?? {}];
    expect([watchers, watched[place], watched[join(place, 'sub')]]).toEqual([1, ['sub'], []]);
  });
  it('a changed .acervoignore applies to the watch at once', async () => {
    for (const folder of ['private', 'open']) mkdirSync(join(place, folder));
    await open(slow);
    expect(await notices(() => writeFileSync(join(place, '.acervoignore'), 'private/\n*.log\n'))).toBe(true);
    await pause(200);
    expect(await overlooks(() => writeFileSync(join(place, 'private', 'one.txt'), 'x'))).toBe(true);
    expect(await overlooks(() => writeFileSync(join(place, 'open', 'busy.log'), 'x'))).toBe(true);
    expect(await notices(() => writeFileSync(join(place, 'open', 'one.txt'), 'x'))).toBe(true);
    expect(await notices(() => writeFileSync(join(place, '.acervoignore'), '*.log\n'))).toBe(true);
    await pause(200);
    expect(await notices(() => writeFileSync(join(place, 'private', 'two.txt'), 'x'))).toBe(true);
  });
  it('a folder that replaces a watched one is watched and scanned', async () => {
    await open(slow);
    const temporaryPath = `${place}-aside`;
    const replace = (): void => {
      renameSync(place, temporaryPath);
      mkdirSync(place);
    };
    expect(await notices(replace)).toBe(true);
    await pause(200);
    rmSync(temporaryPath, { recursive: true });
    expect(await notices(() => writeFileSync(join(place, 'one.txt'), 'x'))).toBe(true);
  });
  it.each([
    ['a start names it', slow, (): void => void watch.add(place)],
    ['the next check finds it', { ...slow, lookMs: 400 }, (): void => undefined],
  ])('a folder that comes back is watched again after %s', async (_how, times, then) => {
    await open(times);
    expect(await notices(() => rmSync(place, { recursive: true }))).toBe(true);
    const back = (): void => {
      mkdirSync(place);
      then();
    };
    expect(await notices(back)).toBe(true);
    await pause(100);
    expect(await notices(() => writeFileSync(join(place, 'one.txt'), 'x'))).toBe(true);
  });
  it('too many folders for the system cause one warning and regular retries', async () => {
    let opened = 0;
    const limited: Watch = (...args) => {
      const made = chokidar(...args);
      opened += 1;
      const refuse = () => made.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }));
      made.once('ready', () => [refuse(), refuse()]);
      return made;
    };
    await open({ quietMs: 20, longestMs: 100, everyMs: 200 }, 0, limited);
    // Watches may be available again.
    await until(() => opened >= 3);
    expect(opened).toBeGreaterThanOrEqual(3);
    expect(printed).toEqual([`Only a part of ${place} can be watched; regular scans find the changes in the rest.`]);
  });
});
