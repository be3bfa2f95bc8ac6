import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExclusionsUnreadable, listFolder } from './folder-listing';

describe('the listing of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'acervo-listing-'));
    writeFileSync(join(folder, 'a.txt'), '*.log');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has the text of its exclusions where there are some', async () => {
    expect(await listFolder(folder)).toMatchObject({ names: ['a.txt'], exclusions: undefined });
    writeFileSync(join(folder, '.acervoignore'), '*.log');
    expect(await listFolder(folder)).toMatchObject({ exclusions: '*.log' });
  });

  it.each([
    ['a link', (path: string) => symlinkSync('a.txt', path)],
    ['a link to nothing', (path: string) => symlinkSync('nothing', path)],
    ['a folder', (path: string) => void mkdirSync(path)],
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path])],
    ['too large', (path: string) => writeFileSync(path, 'x\n'.repeat(128_001))],
  ])('is refused where its exclusions are %s', async (_what, make) => {
    make(join(folder, '.acervoignore'));
    await expect(listFolder(folder)).rejects.toThrow(ExclusionsUnreadable);
  });
});
