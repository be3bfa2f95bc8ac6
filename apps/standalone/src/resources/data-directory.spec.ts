import { execFileSync } from 'node:child_process';
import fs, {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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
  it('links of recorded folders are resolved', async () => {
    const [folder, link, data] = ['folder', 'link', 'data'].map((name) => join(realpathSync(path), name)) as [
      ...[string, string, string],
    ];
    mkdirSync(folder);
    symlinkSync(folder, link);
    DataDirectory.open(data);
    const file = join(data, 'acervo.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, folders: [link, folder] }));
    const later = DataDirectory.open(data);
    await later.resolveFolders((recorded) => Promise.resolve(realpathSync(recorded)));
    expect(later.folders).toEqual([folder]);
    later.forget(folder);
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
  describe('with files that other users can read', () => {
    const openModes = (): string[] =>
      [path, ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))].filter(
        (each) => !lstatSync(each).isSymbolicLink() && (statSync(each).mode & 0o077) !== 0,
      );
    const outside = (): string => `${path}-outside`;
    beforeEach(() => {
      DataDirectory.open(path);
      for (const folder of ['objects/group/text', 'logs', 'database'])
        mkdirSync(join(path, folder), { recursive: true });
      for (const file of [
        'objects/group/text/1',
        'logs/acervo.log',
        'database/lock.json',
        'acervo.json',
        'control.json',
      ])
        appendFileSync(join(path, file), '');
      writeFileSync(outside(), '');
      symlinkSync(outside(), join(path, 'logs', 'link'));
      for (const each of [path, outside()]) execFileSync('chmod', ['-R', 'a+rwX', each]);
    });
    afterEach(() => rmSync(outside()));

    it('opening a directory of an earlier version closes every file', () => {
      expect(openModes()).toHaveLength(12);
      DataDirectory.open(path);
      expect(openModes()).toEqual([]);
      expect(statSync(outside()).mode & 0o777).toBe(0o666);
    });
    it('an interrupted closing is completed by the next start', () => {
      const before = jest.spyOn(fs, 'chmodSync').mockImplementation((name) => {
        if (name === join(path, 'acervo.json')) throw new Error('interrupted');
      });
      expect(() => DataDirectory.open(path)).toThrow(/Other users of this machine can read .* Execute "chmod -R/);
      before.mockRestore();
      DataDirectory.open(path);
      expect(openModes()).toEqual([]);
    });
    it('a folder that is a link to another disk is closed there', () => {
      rmSync(join(path, 'objects'), { recursive: true });
      const disk = mkdtempSync(join(tmpdir(), 'acervo-disk-'));
      writeFileSync(join(disk, 'text'), '', { mode: 0o644 });
      chmodSync(disk, 0o755);
      symlinkSync(disk, join(path, 'objects'));
      DataDirectory.open(path);
      expect([disk, join(disk, 'text')].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
      rmSync(disk, { recursive: true });
    });
  });
  it('a new directory is closed to other users, whatever the umask', () => {
    const before = process.umask(0);
    const created = join(path, 'new');
    DataDirectory.open(created).use(HASHING);
    process.umask(before);
    for (const each of ['', ...readdirSync(created)])
      expect([each, statSync(join(created, each)).mode & 0o077]).toEqual([each, 0]);
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
