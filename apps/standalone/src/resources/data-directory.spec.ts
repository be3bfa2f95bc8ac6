import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { E5, HASHING } from '@acervo/models';
import { DataDirectory, DataDirectoryUnusable } from './data-directory';

describe('a data directory', () => {
  let path: string;
  beforeEach(() => (path = mkdtempSync(join(tmpdir(), 'acervo-directory-'))));
  afterEach(() => rmSync(path, { recursive: true }));

  it('later starts keep the choices of the first start', () => {
    const first = DataDirectory.open(path);
    expect(first.embedder).toBeNull();
    first.use(HASHING);
    first.remember('folder');
    first.remember('folder');
    const second = DataDirectory.open(path);
    expect([second.embedder, second.folders, second.keyPepper]).toEqual([HASHING, ['folder'], first.keyPepper]);
  });
  it('folders are recorded without links, and recorded links are resolved', () => {
    const [folder, link, data] = ['folder', 'link', 'data'].map((name) => join(realpathSync(path), name)) as [
      ...[string, string, string],
    ];
    mkdirSync(folder);
    symlinkSync(folder, link);
    const directory = DataDirectory.open(data);
    expect([directory.remember(link), directory.remember(folder), directory.folders]).toEqual([
      folder,
      folder,
      [folder],
    ]);
    const file = join(data, 'acervo.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, folders: [link, folder] }));
    const later = DataDirectory.open(data);
    expect(later.folders).toEqual([folder]);
    later.forget(link);
    expect(DataDirectory.open(data).folders).toEqual([]);
  });
  it('the searched embedder stays recorded until the change is complete', () => {
    const third = { ...E5, name: 'third', model: 'third' };
    for (const embedder of [HASHING, E5, third]) DataDirectory.open(path).use(embedder);
    expect(DataDirectory.open(path)).toMatchObject({ embedder: third, before: HASHING });
    DataDirectory.open(path).settle();
    expect(DataDirectory.open(path)).toMatchObject({ embedder: third, before: null });
  });
  it('a reverted change of embedder leaves no previous embedder', () => {
    for (const embedder of [HASHING, E5, HASHING]) DataDirectory.open(path).use(embedder);
    expect(DataDirectory.open(path)).toMatchObject({ embedder: HASHING, before: null });
  });
  it('a directory of an earlier version keeps its embedder', () => {
    DataDirectory.open(path);
    const file = join(path, 'acervo.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, format: 1, embedder: 'hashing' }));
    expect(DataDirectory.open(path).embedder).toEqual(HASHING);
  });
  it('the secrets are readable by their owner only', () => {
    DataDirectory.open(path);
    expect(statSync(join(path, 'secrets.json')).mode & 0o077).toBe(0);
    expect(readFileSync(join(path, 'acervo.json'), 'utf8')).not.toContain('epper');
  });
  it('a directory of other files is refused', () => {
    writeFileSync(join(path, 'thesis.docx'), '');
    expect(() => DataDirectory.open(path)).toThrow(DataDirectoryUnusable);
  });
  it('a start that only reads creates no directory and gives advice', () => {
    const absent = join(path, 'absent');
    expect(() => DataDirectory.open(absent, { existing: true })).toThrow(
      `There is no installation in ${absent}; check --data. A start with a folder creates one: npm start -- /path/to/folder`,
    );
    expect(existsSync(absent)).toBe(false);
    DataDirectory.open(path);
    expect(DataDirectory.open(path, { existing: true }).folders).toEqual([]);
  });
  it('a directory of another layout is refused', () => {
    writeFileSync(join(path, 'acervo.json'), '{"format":3}');
    expect(() => DataDirectory.open(path)).toThrow(/has layout 3 and this version works with up to 2/);
  });
  it('an interrupted creation is completed by the next start', () => {
    writeFileSync(join(path, 'secrets.json'), '{"keyPepper":"0123456789abcdef"}');
    expect(DataDirectory.open(path).folders).toEqual([]);
  });
});
