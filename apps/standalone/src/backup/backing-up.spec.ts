import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectory } from '../resources/data-directory';
import { backUp, type CopyDatabase } from './backing-up';
import { writeBackup } from './backup-file';
import { NOTE, noteOf } from './backup-note';
import { restoreBackup } from './restoring';
import type { TarEntry } from './tar';

const AT = Date.parse('2026-11-26T09:00:00Z');
const GROUP = 'objects/group/7d3f0000-0000-4000-8000-000000000001';

describe('the content of a backup', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-backing-up-'));
  const data = join(place, 'data');
  const file = join(place, 'backup');
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  const request = { passphrase: undefined, print };
  const restored = (path: string): string => join(place, 'restored', path);
  let directory: DataDirectory;

  const put = (path: string, seconds: number): void => {
    mkdirSync(join(data, path, '..'), { recursive: true });
    writeFileSync(join(data, path), path);
    const time = AT / 1_000 + seconds;
    utimesSync(join(data, path), time, time);
  };
  /** The engine's part: copies data files, here one. */
  const copyDatabase: CopyDatabase = (into) => {
    mkdirSync(into);
    writeFileSync(join(into, 'PG_VERSION'), '18\n');
    return Promise.resolve({ at: AT, pausedMs: 1_500 });
  };

  beforeAll(async () => {
    directory = DataDirectory.open(data);
    put(`${GROUP}/extracted-text/one`, 5);
    put(`${GROUP}/extracted-text/unfinished.part`, -5);
    put(`${GROUP}/audit-anchor/earlier`, -5);
    put(`${GROUP}/audit-anchor/later`, 5);
    put('logs/acervo.log', -5);
    await backUp(directory, copyDatabase, { file, ...request });
    await restoreBackup(file, join(place, 'restored'), request);
  });
  afterAll(() => rmSync(place, { recursive: true }));

  it('settings, the server key, the database and objects are restored', () => {
    for (const name of ['acervo.json', 'secrets.json', `${GROUP}/extracted-text/one`])
      expect(readFileSync(restored(name))).toEqual(readFileSync(join(data, name)));
    expect(readFileSync(restored('database/cluster/PG_VERSION'), 'utf8')).toBe('18\n');
    expect(DataDirectory.open(join(place, 'restored')).keyPepper).toBe(directory.keyPepper);
  });
  it.each([`${GROUP}/extracted-text/unfinished.part`, `${GROUP}/audit-anchor/later`, 'logs/acervo.log'])(
    '%s is left out',
    (name) => {
      expect(existsSync(restored(name))).toBe(false);
      expect(existsSync(restored(`${GROUP}/audit-anchor/earlier`))).toBe(true);
    },
  );
  it('the moment, the pause and what is lost are printed', () => {
    const text = printed.join('\n');
    expect(text).toMatch(/as of 2026-11-26T09:00:00\.000Z; the database paused for 1\.5 s/);
    expect(text).toMatch(/It is not encrypted and contains the server key/);
    expect(text).toMatch(/^Restored from .*: \d+ files, as of 2026-11-26T09:00:00\.000Z/m);
  });
  it('the copy of the database does not stay', () => {
    expect(existsSync(join(data, 'backup.part'))).toBe(false);
  });
  it('a directory with content is not restored into', async () => {
    const again = restoreBackup(file, join(place, 'restored'), request);
    await expect(again).rejects.toThrow('is not empty; restore into a new directory');
  });
  it('two backups at once both contain the database', async () => {
    const names = ['one', 'two'];
    await Promise.all(names.map((name) => backUp(directory, copyDatabase, { file: join(place, name), ...request })));
    for (const name of names) {
      await restoreBackup(join(place, name), join(place, `${name}-restored`), request);
      expect(existsSync(join(place, `${name}-restored`, 'database', 'cluster', 'PG_VERSION'))).toBe(true);
    }
  });
  it('a copy of the database that vanishes fails the backup', async () => {
    const copy = { at: AT, pausedMs: 0 };
    const backingUp = backUp(directory, () => Promise.resolve(copy), { file: join(place, 'vanished'), ...request });
    await expect(backingUp).rejects.toThrow('ENOENT');
    expect(readdirSync(place).filter((name) => name.startsWith('vanished'))).toEqual([]);
  });
});

describe('the check of what a restore unpacked', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-restoring-'));
  afterAll(() => rmSync(place, { recursive: true }));

  const whole = { [NOTE]: noteOf(AT), 'acervo.json': '{"format":2}', 'database/cluster/PG_VERSION': '18\n' };
  const entries = async function* (files: Readonly<Record<string, string>>): AsyncGenerator<TarEntry> {
    for (const [name, text] of Object.entries(files)) {
      const content = (async function* () {
        yield Buffer.from(text);
      })();
      yield { name, bytes: Buffer.byteLength(text), content };
    }
  };
  const note = (change: object): string => JSON.stringify({ ...(JSON.parse(noteOf(AT)) as object), ...change });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without a database', { [NOTE]: whole[NOTE], 'acervo.json': whole['acervo.json'] }, 'contains no database'],
    [
      'of a newer version',
      { ...whole, [NOTE]: note({ version: 2 }) },
      'has version 2 and this program restores up to 1',
    ],
    ['of something else', { ...whole, [NOTE]: note({ acervo: 'export' }) }, 'does not say that it is a backup'],
    ['without a moment', { ...whole, [NOTE]: note({ createdAt: 'soon' }) }, 'does not say that it is a backup'],
  ])('an archive %s is refused and leaves no directory', async (what, files, message) => {
    const [file, into] = [join(place, what), join(place, `${what}-restored`)];
    await writeBackup(file, entries(files), undefined);
    const restoring = restoreBackup(file, into, { passphrase: undefined, print: () => undefined });
    await expect(restoring).rejects.toThrow(message);
    expect(existsSync(into)).toBe(false);
  });
});
