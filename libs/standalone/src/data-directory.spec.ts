import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectory, DataDirectoryUnusable } from './data-directory';

describe('a data directory', () => {
  let path: string;
  beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'acervo-directory-'))));
  afterEach(() => rmSync(path, { recursive: true }));

  it('keeps what its first start chose', () => {
    const first = DataDirectory.open(path, 'hashing');
    first.remember('folder');
    first.remember('folder');
    const second = DataDirectory.open(path, 'another');
    expect([second.embedder, second.folders, second.keyPepper]).toEqual(['hashing', ['folder'], first.keyPepper]);
  });
  it('shows its secrets to nobody else', () => {
    DataDirectory.open(path, 'hashing');
    expect(statSync(join(path, 'secrets.json')).mode & 0o077).toBe(0);
    expect(readFileSync(join(path, 'acervo.json'), 'utf8')).not.toContain('epper');
  });
  it('is not made where something else lies', () => {
    writeFileSync(join(path, 'thesis.docx'), '');
    expect(() => DataDirectory.open(path, 'hashing')).toThrow(DataDirectoryUnusable);
  });
  it('of another layout is left as it is', () => {
    writeFileSync(join(path, 'acervo.json'), '{"format":2}');
    expect(() => DataDirectory.open(path, 'hashing')).toThrow(/has layout 2 and this version works with 1/);
  });
  it('lays a large log aside', () => {
    const { log } = DataDirectory.open(path, 'hashing');
    writeFileSync(log, '');
    truncateSync(log, 20_000_001);
    DataDirectory.open(path, 'hashing');
    expect([existsSync(log), statSync(`${log}.1`).size]).toEqual([false, 20_000_001]);
  });
  it('whose making was interrupted is made whole', () => {
    writeFileSync(join(path, 'secrets.json'), '{"keyPepper":"0123456789abcdef"}');
    expect(DataDirectory.open(path, 'hashing').folders).toEqual([]);
  });
});
