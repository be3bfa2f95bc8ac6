import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@acervo/platform-testing';
import { watch as chokidar } from 'chokidar';
import { DirectView, type FolderState, type FolderView } from './folder-view';
import { FolderViews } from './folder-views';
import { FolderWatch } from './folder-watch';
import type { TreeNews, Watch } from './tree-watch';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** A folder whose changes the test reports. */
class ScriptedView implements FolderView {
  private news: TreeNews | undefined;

  look(): Promise<FolderState> {
    return Promise.resolve({ path: '/place', identity: '1-1' });
  }
  watch(news: TreeNews): Promise<void> {
    this.news = news;
    return Promise.resolve();
  }
  unwatch(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }

  created(name: string): void {
    this.news?.changed({ path: `/place/${name}`, isWritten: false });
  }
  written(name: string): void {
    this.news?.changed({ path: `/place/${name}`, isWritten: true });
  }
}

describe('the scans of a watched folder, with its default times', () => {
  let view: ScriptedView;
  let watch: FolderWatch;
  let scans: number;
  /** What each scan waits for. */
  let scanned: () => Promise<void>;
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  beforeEach(() => {
    jest.useFakeTimers();
    [view, scans, scanned] = [new ScriptedView(), 0, () => Promise.resolve()];
    const rescan = (): Promise<void> => {
      scans += 1;
      return scanned();
    };
    watch = new FolderWatch({ rescan, print: () => undefined, views: new FolderViews(() => view) });
  });
  afterEach(async () => {
    await watch.close();
    jest.useRealTimers();
  });
  const open = async (): Promise<void> => {
    await watch.add('/place');
    scans = 0;
  };

  it('a new watch scans its folder once', async () => {
    await watch.add('/place');
    await pass(MINUTE_MS);
    expect(scans).toBe(1);
  });
  it('a burst of changes causes one scan, after its quiet time', async () => {
    await open();
    for (let count = 0; count < 20; count += 1) view.created(`${count}.txt`);
    await pass(299);
    expect(scans).toBe(0);
    await pass(1);
    expect(scans).toBe(1);
    await pass(MINUTE_MS);
    expect(scans).toBe(1);
  });
  it('a folder that changes all the time is still scanned', async () => {
    await open();
    for (let now = 0; now < 30 * SECOND_MS; now += 200) {
      expect(scans).toBe(0);
      view.created(`busy-${now}.txt`);
      await pass(200);
    }
    expect(scans).toBe(1);
  });
  it('a growing file is scanned once, when it has stopped growing', async () => {
    await open();
    for (let count = 0; count < 100; count += 1) {
      view.written('busy.txt');
      await pass(80);
    }
    expect(scans).toBe(0);
    await pass(2 * SECOND_MS);
    expect(scans).toBe(1);
    await pass(MINUTE_MS);
    expect(scans).toBe(1);
  });
  it('a growing file does not delay the scan of another one', async () => {
    await open();
    for (let count = 0; count < 20; count += 1) {
      view.written('busy.txt');
      if (count === 8) view.created('other.txt');
      await pass(80);
    }
    expect(scans).toBe(1);
  });
  it('a change during a scan causes another scan after it', async () => {
    await open();
    let end = (): void => undefined;
    scanned = () => new Promise((resolve) => (end = resolve));
    view.created('one.txt');
    await pass(SECOND_MS);
    view.created('two.txt');
    await pass(MINUTE_MS);
    expect(scans).toBe(1);
    end();
    await pass(0);
    expect(scans).toBe(2);
    end();
  });
  it('a change during the first scan causes another scan', async () => {
    await watch.add('/place', async () => {
      view.created('one.txt');
      await pass(MINUTE_MS);
      expect(scans).toBe(0);
    });
    await pass(0);
    expect(scans).toBe(1);
  });
});

describe('a watched folder', () => {
  let place: string;
  let scans: number;
  let printed: string[];
  let watch: FolderWatch;
  /** Paths of the changes that the watch reported. */
  let heard: string[];
  const times = {
    ...{ quietMs: 20, settledMs: 100, longestMs: SECOND_MS, longestGrowthMs: MINUTE_MS },
    ...{ everyMs: MINUTE_MS, lookMs: MINUTE_MS },
  };
  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-watch-')));
  });
  const noting = (folder: string, watching?: Watch): FolderView => {
    const view = new DirectView(folder, watching);
    const watched = view.watch.bind(view);
    view.watch = (news) => {
      const changed: TreeNews['changed'] = (change) => {
        heard.push(change.path);
        news.changed(change);
      };
      return watched({ ...news, changed });
    };
    return view;
  };
  const open = async (over: Partial<typeof times> = {}, watching?: Watch): Promise<void> => {
    [scans, printed, heard] = [0, [], []];
    watch = new FolderWatch({
      rescan: () => Promise.resolve(void (scans += 1)),
      print: (line) => printed.push(line),
      times: { ...times, ...over },
      views: new FolderViews((folder) => noting(folder, watching)),
    });
    await watch.add(place);
  };
  const at = (...names: string[]): string => join(place, ...names);
  /** Waits for the scan that follows from a change. */
  const scanned = async (change: () => void): Promise<void> => {
    const before = scans;
    change();
    await until('a scan follows the change', () => scans > before);
  };
  /** Waits until changes of a folder, one after the other, are reported: its watch may be about to open. */
  const isWatched = async (folder = place): Promise<void> => {
    const before = heard.length;
    let count = 0;
    await until(`changes in ${folder} are heard`, () => {
      writeFileSync(join(folder, `change-${(count += 1)}.txt`), 'x');
      return heard.slice(before).some((path) => path.startsWith(join(folder, 'change-')));
    });
  };
  /** Writes files, then one that counts: the files before it are not reported. */
  const overlooked = async (files: readonly string[], counting: string): Promise<void> => {
    heard = [];
    for (const file of [...files, counting]) writeFileSync(file, 'x');
    await until('the last change is heard', () => heard.includes(counting));
    expect(heard.filter((path) => files.includes(path))).toEqual([]);
  };
  afterEach(async () => {
    await watch.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('an excluded file causes no scan', async () => {
    await open();
    await overlooked([at('~$lock.docx'), at('.hidden')], at('one.txt'));
  });
  it('files created, changed or removed at any depth cause a scan', async () => {
    mkdirSync(at('a', 'b'), { recursive: true });
    const fileOf = (name: string): string => at('a', 'b', name);
    for (const name of ['changed', 'removed']) writeFileSync(fileOf(name), 'x');
    await open();
    const changes: [string, (file: string) => void][] = [
      ['created', (file) => writeFileSync(file, 'x')],
      ['changed', (file) => writeFileSync(file, 'y')],
      ['removed', (file) => rmSync(file)],
    ];
    for (const [name, change] of changes) {
      await scanned(() => change(fileOf(name)));
      await until(`the change of ${name} is heard`, () => heard.includes(fileOf(name)));
    }
    await scanned(() => mkdirSync(at('new', 'er'), { recursive: true }));
    await isWatched(at('new', 'er'));
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
    await open({}, watching);
    const [{ length: watchers }, watched] = [opened, opened[0]?.getWatched() ?? {}];
    expect([watchers, watched[place], watched[join(place, 'sub')]]).toEqual([1, ['sub'], []]);
  });
  it('a changed .acervoignore applies to the watch at once', async () => {
    for (const folder of ['private', 'open']) mkdirSync(at(folder));
    await open();
    await scanned(() => writeFileSync(at('.acervoignore'), 'private/\n*.log\n'));
    await overlooked([at('private', 'one.txt'), at('open', 'busy.log')], at('open', 'one.txt'));
    await scanned(() => writeFileSync(at('.acervoignore'), '*.log\n'));
    await isWatched(at('private'));
  });
  it('a folder that replaces a watched one is watched and scanned', async () => {
    await open();
    const temporaryPath = `${place}-aside`;
    await scanned(() => {
      renameSync(place, temporaryPath);
      mkdirSync(place);
    });
    rmSync(temporaryPath, { recursive: true });
    await isWatched();
  });
  it.each([
    ['a start names it', MINUTE_MS, (): void => void watch.add(place)],
    ['the next check finds it', 400, (): void => undefined],
  ])('a folder that comes back is watched again after %s', async (_how, lookMs, then) => {
    await open({ lookMs });
    await scanned(() => rmSync(place, { recursive: true }));
    await scanned(() => {
      mkdirSync(place);
      then();
    });
    await isWatched();
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
    await open({ everyMs: 200 }, limited);
    // Watches may be available again.
    await until('the folder is watched again', () => opened >= 3);
    expect(printed).toEqual([`Only a part of ${place} can be watched; regular scans find the changes in the rest.`]);
  });
});
