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

  it('the exclusions of a folder are part of its listing', async () => {
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
  ])('a folder whose exclusions are %s cannot be listed', async (_what, make) => {
    make(join(folder, '.acervoignore'));
    await expect(listFolder(folder)).rejects.toThrow(ExclusionsUnreadable);
  });
});
