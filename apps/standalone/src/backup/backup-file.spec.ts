import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BackupUnusable, readBackup, writeBackup } from './backup-file';
import type { TarEntry } from './tar';

const PASSPHRASE = 'una frase larga';
const LONG = `objects/group/${'0'.repeat(36)}/extracted-text/${'1'.repeat(36)}/${'2'.repeat(36)}`;
const FILES: Readonly<Record<string, Buffer>> = {
  'acervo.json': Buffer.from('{}'),
  empty: Buffer.alloc(0),
  block: Buffer.alloc(512, 7),
  [LONG]: randomBytes(200_000),
};

const entry = (name: string, content: Buffer): TarEntry => ({
  ...{ name, bytes: content.length },
  content: (async function* () {
    if (content.length > 0) yield content;
  })(),
});
const entries = async function* (files: Readonly<Record<string, Buffer>>): AsyncGenerator<TarEntry> {
  for (const [name, content] of Object.entries(files)) yield entry(name, content);
};

describe('the file of a backup', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-backup-'));
  afterAll(() => rmSync(place, { recursive: true }));
  const made = async (name: string, passphrase?: string, files = FILES): Promise<string> => {
    const file = join(place, name);
    await writeBackup(file, entries({ ...files, 'database/pg_notify/': Buffer.alloc(0) }), passphrase);
    return file;
  };
  const restored = (file: string, into: string, passphrase?: string): Promise<number> =>
    readBackup(file, join(place, into), { passphrase, check: () => undefined });

  const namesLike = (start: string): string[] => readdirSync(place).filter((name) => name.startsWith(start));

  it.each([
    ['open', undefined],
    ['sealed', PASSPHRASE],
  ])('%s: a restore brings back every file and empty directory', async (name, passphrase) => {
    const file = await made(name, passphrase);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await restored(file, `${name}-restored`, passphrase)).toBe(4);
    for (const [each, content] of Object.entries(FILES))
      expect(readFileSync(join(place, `${name}-restored`, each)).equals(content)).toBe(true);
    expect(readdirSync(join(place, `${name}-restored`, 'database', 'pg_notify'))).toEqual([]);
  });

  it('a sealed file shows nothing of its content', async () => {
    const file = await made('closed', PASSPHRASE, { 'acervo.json': Buffer.from('un secreto'.repeat(99)) });
    expect(readFileSync(file, 'latin1')).not.toMatch(/secreto|acervo\.json/);
  });

  const flipped = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const [ofPassphrase, ofDamage] = ['is not the passphrase that it was made with', 'damaged or was cut'];
  it.each<[string, string | undefined, (bytes: Buffer) => Buffer, string | undefined, string]>([
    ['a wrong passphrase', PASSPHRASE, (bytes) => bytes, 'otra', ofPassphrase],
    ['no passphrase', PASSPHRASE, (bytes) => bytes, undefined, 'is encrypted; set ACERVO_BACKUP_PASSPHRASE'],
    ['a changed tag', PASSPHRASE, (bytes) => flipped(bytes, bytes.length - 1), PASSPHRASE, ofPassphrase],
    ['a changed salt', PASSPHRASE, (bytes) => flipped(bytes, 20), PASSPHRASE, ofPassphrase],
    ['a cut sealed file', PASSPHRASE, (bytes) => bytes.subarray(0, -17), PASSPHRASE, ofPassphrase],
    ['a cut open file', undefined, (bytes) => bytes.subarray(0, -9), undefined, ofDamage],
    ['a changed open file', undefined, (bytes) => flipped(bytes, bytes.length - 6), undefined, ofDamage],
    ['an archive of something else', undefined, () => gzipSync(randomBytes(2_048)), undefined, ofDamage],
    ['another file', undefined, () => Buffer.from('hello'), undefined, 'is no backup of Acervo'],
  ])('%s is refused, and nothing is left behind', async (what, sealedBy, change, passphrase, message) => {
    const file = await made(`${what}.original`, sealedBy);
    const changed = join(place, what);
    writeFileSync(changed, change(readFileSync(file)));
    const restoring = restored(changed, 'nowhere', passphrase);
    await expect(restoring).rejects.toThrow(BackupUnusable);
    await expect(restoring).rejects.toThrow(message);
    expect(namesLike('nowhere')).toEqual([]);
  });

  it('a name that leads out of the directory is refused', async () => {
    const file = await made('escape', undefined, { ...FILES, '../escaped': Buffer.from('x') });
    await expect(restored(file, 'inside')).rejects.toThrow('is no part of one');
    expect(existsSync(join(place, 'escaped'))).toBe(false);
  });

  it('a refused manifest leaves no directory', async () => {
    const file = await made('refused');
    const check = (): void => {
      throw new BackupUnusable('Made by a newer version.');
    };
    await expect(readBackup(file, join(place, 'newer'), { passphrase: undefined, check })).rejects.toThrow('newer');
    expect(existsSync(join(place, 'newer'))).toBe(false);
  });

  it('a directory that is filled while a restore unpacks stays', async () => {
    const [file, directory] = [await made('late'), join(place, 'filled')];
    const check = (): void => {
      mkdirSync(directory);
      writeFileSync(join(directory, 'acervo.json'), 'of another start');
    };
    const restoring = readBackup(file, directory, { passphrase: undefined, check });
    await expect(restoring).rejects.toThrow(BackupUnusable);
    await expect(restoring).rejects.toThrow('was filled while the backup was unpacked; it stays as it is');
    expect(readFileSync(join(directory, 'acervo.json'), 'utf8')).toBe('of another start');
    expect(namesLike('filled')).toEqual(['filled']);
  });

  it('a link to an empty directory is restored into that directory', async () => {
    const [target, link] = [join(place, 'linked-target'), join(place, 'linked')];
    mkdirSync(target);
    symlinkSync(target, link);
    expect(await restored(await made('for-link'), 'linked')).toBe(4);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(existsSync(join(target, 'acervo.json'))).toBe(true);
  });

  it('what a crashed backup left does not block the next', async () => {
    writeFileSync(join(place, 'repeated.part'), 'cut');
    expect(existsSync(await made('repeated'))).toBe(true);
    expect(readFileSync(join(place, 'repeated.part'), 'utf8')).toBe('cut');
  });

  it('an existing file is not overwritten', async () => {
    const file = await made('kept');
    await expect(writeBackup(file, entries(FILES), undefined)).rejects.toThrow('is there already');
  });

  it('a file that appears while a backup is written stays', async () => {
    const file = join(place, 'appeared');
    const content = async function* (): AsyncGenerator<TarEntry> {
      yield* entries(FILES);
      writeFileSync(file, 'of another program');
    };
    await expect(writeBackup(file, content(), undefined)).rejects.toThrow('is there already');
    expect(readFileSync(file, 'utf8')).toBe('of another program');
    expect(namesLike('appeared')).toEqual(['appeared']);
  });
});
