import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryInUse, lockDirectory } from './lock';

let directory: string;
const file = (): string => join(directory, 'lock.json');
const lockRecord = (): { pid: number; began: string } =>
  JSON.parse(readFileSync(file(), 'utf8')) as { pid: number; began: string };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'acervo-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the lock of a data directory', () => {
  it('a lock names its process and the start time of that', () => {
    lockDirectory(directory);
    expect(lockRecord()).toEqual({ pid: process.pid, began: expect.any(String) as string });
  });
  it('locking creates a missing directory', () => {
    lockDirectory(join(directory, 'new', 'one'));
    expect(existsSync(join(directory, 'new', 'one', 'lock.json'))).toBe(true);
  });
  it('a second lock is refused and names the process of the first', () => {
    lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(DataDirectoryInUse);
    expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ pid: process.pid, directory }) as Error);
  });
  it('a released lock is free', () => {
    lockDirectory(directory)();
    expect(readdirSync(directory)).toEqual([]);
    expect(() => lockDirectory(directory)).not.toThrow();
  });
  it('a late release does not remove the lock of a successor', () => {
    const unlock = lockDirectory(directory);
    writeFileSync(file(), JSON.stringify({ pid: 1, began: 'of another' }));
    unlock();
    expect(lockRecord().pid).toBe(1);
  });
});

describe('a stale lock', () => {
  it('a lock is taken over when its process is gone', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file(), JSON.stringify({ pid, began: '1' }));
    lockDirectory(directory);
    expect(lockRecord().pid).toBe(process.pid);
    expect(readdirSync(directory)).toEqual(['lock.json']);
  });
  it('a lock is taken over when its process id was reused', () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid, began: 'long ago' }));
    lockDirectory(directory);
    expect(lockRecord().began).not.toBe('long ago');
  });
  it('a lock without a start time is taken over', () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid }));
    expect(() => lockDirectory(directory)).not.toThrow();
  });
  it('an unreadable lock is taken over unless it is recent', () => {
    writeFileSync(file(), '{"pid"');
    expect(() => lockDirectory(directory)).toThrow(DataDirectoryInUse);
    utimesSync(file(), 1, 1);
    expect(() => lockDirectory(directory)).not.toThrow();
  });
  if (process.platform === 'linux')
    it('a lock of a zombie process is taken over', async () => {
      // The shell becomes `sleep`, which never reaps the child that ended before.
      const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        const printed = await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve));
        const pid = Number(printed.toString());
        const fields = (): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        while (fields()[0] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 5));
        writeFileSync(file(), JSON.stringify({ pid, began: fields()[19] }));
        expect(() => lockDirectory(directory)).not.toThrow();
      } finally {
        parent.kill('SIGKILL');
      }
    });
  it('concurrent takeovers of a stale lock have one winner', async () => {
    writeFileSync(file(), JSON.stringify({ pid: 999_999_999, began: '1' }));
    const contender = `
      const { lockDirectory } = require(process.argv[1]);
      process.stdin.once('data', () => {
        try { lockDirectory(process.argv[2]); process.stdout.write('held'); } catch { process.stdout.write('refused'); }
      });
      process.stdin.once('end', () => process.exit());
      process.stdout.write('ready ');`;
    const compiled = join(__dirname, '..', '..', 'dist', 'embedded', 'lock.js');
    const contenders = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['-e', contender, compiled, directory], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const ready = new Promise((resolve) => child.stdout.once('data', resolve));
      return { child, ready };
    });
    await Promise.all(contenders.map(({ ready }) => ready));
    const answers = contenders.map(
      ({ child }) =>
        new Promise<string>((resolve) => child.stdout.once('data', (output: Buffer) => resolve(output.toString()))),
    );
    for (const { child } of contenders) child.stdin.write('go');
    expect((await Promise.all(answers)).sort()).toEqual(['held', 'refused', 'refused', 'refused']);
    for (const { child } of contenders) child.stdin.end();
  });
});
