import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShareUnresponsive } from '../src/file-access/file-access';
import { ProcessFileAccess } from '../src/file-access/process-file-access';
import { FolderUnreadable } from '../src/locations/location.errors';
import { HungMount, until } from '@acervo/platform-testing';

const LIMITS = { silenceMs: 2_000, restMs: 60_000, idleMs: 5_000 };
const MOST = 20_000_000;

/** Whether a process exists and is no zombie. */
const lives = (pid: number): boolean => {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('a share that hangs', () => {
  let place: string;
  let files: ProcessFileAccess;
  const logged: string[] = [];
  const at = (...names: string[]): string => join(place, ...names);
  const walk = (root: string) => files.walk({ root, name: 'root', limits: { mostBytes: MOST } });
  const take = (root: string, relativePath = 'a.txt') => files.takeFile({ root, relativePath, most: MOST });
  const outcome = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? error.constructor : error),
    );

  beforeEach(() => {
    place = realpathSync(mkdtempSync(join(tmpdir(), 'acervo-hung-')));
    for (const root of ['one', 'two']) {
      mkdirSync(at(root, 'sub'), { recursive: true });
      for (const name of ['a.txt', 'b.txt', 'sub/c.txt']) writeFileSync(at(root, name), `${root} ${name}`);
    }
    files = new ProcessFileAccess(LIMITS, (event) => void logged.push(event));
  });
  afterEach(async () => {
    await files.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('a walk and a file are the same as read in process', async () => {
    writeFileSync(at('one', '.acervoignore'), 'b.*\n');
    const found = await walk(at('one'));
    expect(found.files.map(({ folder, name }) => `${folder.path}/${name}`)).toEqual(['/a.txt', 'sub/c.txt']);
    expect(found.files[1]?.folder).toBe(found.folders[1]);
    expect([found.leftOut.coversFolder('b.d'), found.leftOut.coversFolder('a')]).toEqual([true, false]);
    expect(Buffer.from((await take(at('one'))).bytes).toString()).toBe('one a.txt');
    await expect(take(at('one'), 'absent.txt')).rejects.toMatchObject({ name: 'DocumentRefused', retryOnScan: true });
    await expect(walk(at('absent'))).rejects.toMatchObject({ name: 'RootUnreadable', forExclusions: false });
    await expect(files.resolveRoot(at('one', 'a.txt'))).rejects.toThrow(FolderUnreadable);
    expect((await files.resolveRoot(at('one'))).path).toBe(at('one'));
  });

  it('a stopped process is killed, and other shares are read meanwhile', async () => {
    await take(at('one'));
    const [pid = 0] = files.pidsOf(at('one'));
    process.kill(pid, 'SIGSTOP');
    const hung = outcome(take(at('one')));
    const waiting = Array.from({ length: 16 }, () => outcome(take(at('one'))));
    let others = 0;
    while ((await Promise.race([hung, take(at('two')).then(() => 'other')])) === 'other') others += 1;
    // Read while the other share was silent.
    expect(others).toBeGreaterThan(0);
    expect(await Promise.all([hung, ...waiting])).toEqual(Array(17).fill(ShareUnresponsive));
    expect(await outcome(take(at('two')))).toBe('read');
    await until('the stopped process is gone', () => !lives(pid));
    expect(logged).toEqual(['a share does not answer; it rests']);
  });

  it('a share that rests is read again after its rest', async () => {
    files = new ProcessFileAccess({ ...LIMITS, restMs: 300 }, () => undefined);
    await take(at('one'));
    process.kill(files.pidsOf(at('one'))[0] ?? 0, 'SIGSTOP');
    expect(await outcome(take(at('one')))).toBe(ShareUnresponsive);
    await until('the share is read', async () => (await outcome(take(at('one')))) === 'read');
  });

  it('a mounted share that hangs costs a deadline, and nothing else waits', async () => {
    const mount = await HungMount.at(at('share'));
    // Mounting takes a right that not every machine grants; the other tests stop the process instead.
    if (mount === undefined) return;
    try {
      const hung = [walk(at('share')), take(at('share')), files.resolveRoot(at('share'))].map(outcome);
      const both = Promise.all(hung);
      let others = 0;
      while ((await Promise.race([both, Promise.all([take(at('two')), stat(place)])])).length === 2) others += 1;
      expect(await both).toEqual([ShareUnresponsive, ShareUnresponsive, FolderUnreadable]);
      expect(others).toBeGreaterThan(0);
      // The share rests: no further process is started to wait for it.
      const pids = files.pidsOf(at('share'));
      expect(await outcome(take(at('share')))).toBe(ShareUnresponsive);
      expect(pids).toEqual(expect.arrayContaining([...files.pidsOf(at('share'))]));
    } finally {
      await mount.unmount();
    }
  });

  it('a hung share in a folder is unseen, and the rest of the folder is seen', async () => {
    const mount = await HungMount.at(at('one', 'share'));
    if (mount === undefined) return;
    try {
      const found = await walk(at('one'));
      expect(found.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'c.txt']);
      expect(found.unseen).toMatchObject([{ name: 'share', rule: 'unreadable', hung: true }]);
      expect((await walk(at('one'))).files).toHaveLength(3);
    } finally {
      await mount.unmount();
    }
  });

  it('a process without work ends', async () => {
    files = new ProcessFileAccess({ ...LIMITS, idleMs: 50 }, () => undefined);
    await take(at('one'));
    const [pid = 0] = files.pidsOf(at('one'));
    await until('the process is gone', () => !lives(pid));
    expect(await outcome(take(at('one')))).toBe('read');
  });
});
