import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryInUse, lockDirectory } from './lock';

let directory: string;
const file = (): string => join(directory, 'lock.json');
const held = (): { pid: number; began: string } =>
  JSON.parse(readFileSync(file(), 'utf8')) as { pid: number; began: string };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'acervo-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the lock of a data directory', () => {
  it('names the process that holds it and when that began', () => {
    lockDirectory(directory);
    expect(held()).toEqual({ pid: process.pid, began: expect.any(String) as string });
  });
  it('makes the directory when there is none', () => {
    lockDirectory(join(directory, 'new', 'one'));
    expect(existsSync(join(directory, 'new', 'one', 'lock.json'))).toBe(true);
  });
  it('is refused to a second one, with the process that holds it', () => {
    lockDirectory(directory);
    expect(() => lockDirectory(directory)).toThrow(DataDirectoryInUse);
    expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ pid: process.pid, directory }) as Error);
  });
  it('is free after it was given back', () => {
    lockDirectory(directory)();
    expect(readdirSync(directory)).toEqual([]);
    expect(() => lockDirectory(directory)).not.toThrow();
  });
  it('is not taken from a successor by one who gives it back late', () => {
    const unlock = lockDirectory(directory);
    writeFileSync(file(), JSON.stringify({ pid: 1, began: 'of another' }));
    unlock();
    expect(held().pid).toBe(1);
  });
});

describe('a stale lock', () => {
  it('is taken over when its process is gone', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(file(), JSON.stringify({ pid, began: '1' }));
    lockDirectory(directory);
    expect(held().pid).toBe(process.pid);
    expect(readdirSync(directory)).toEqual(['lock.json']);
  });
  it('is taken over when its process id was given to another process since', () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid, began: 'long ago' }));
    lockDirectory(directory);
    expect(held().began).not.toBe('long ago');
  });
  it('is taken over when its process never said when it began', () => {
    writeFileSync(file(), JSON.stringify({ pid: process.pid }));
    expect(() => lockDirectory(directory)).not.toThrow();
  });
  it('is taken over when a crash left it unreadable, but not while it may be being written', () => {
    writeFileSync(file(), '{"pid"');
    expect(() => lockDirectory(directory)).toThrow(DataDirectoryInUse);
    utimesSync(file(), 1, 1);
    expect(() => lockDirectory(directory)).not.toThrow();
  });
  if (process.platform === 'linux')
    it('is taken over when its process has ended and nobody has collected it', async () => {
      // The shell becomes `sleep`, which never collects the child that ended before.
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
  it('has one new holder when many try at the same time', async () => {
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
        new Promise<string>((resolve) => child.stdout.once('data', (said: Buffer) => resolve(said.toString()))),
    );
    for (const { child } of contenders) child.stdin.write('go');
    expect((await Promise.all(answers)).sort()).toEqual(['held', 'refused', 'refused', 'refused']);
    for (const { child } of contenders) child.stdin.end();
  });
});
