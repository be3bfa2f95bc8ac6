import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { StartRefused } from '../kernel/start-refused';
import { SEALED, SealBroken, sealed, unsealed } from './seal';
import { entriesOf, type TarEntry, TarDamaged, tarOf } from './tar';

/** The backup cannot be written or used, and the user can correct the cause. */
export class BackupUnusable extends StartRefused {}

const PASSPHRASE = 'ACERVO_BACKUP_PASSPHRASE';
/** Codes of a renaming onto a directory with content, by file system, and onto a file. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);
const GZIP = Buffer.from([0x1f, 0x8b]);

/** The place of an unfinished file or directory: no other work has it, and what a crash left there blocks nothing. */
const partOf = (path: string): string => `${path}.${randomUUID()}.part`;

/** @throws BackupUnusable where the file exists */
const assertFree = (file: string): void => {
  if (existsSync(file)) throw new BackupUnusable(`${file} is there already; name another file with --backup.`);
};

/** Writes an archive, compressed and, with a passphrase, sealed. A file that exists is never overwritten. */
export const writeBackup = async (
  file: string,
  entries: AsyncIterable<TarEntry>,
  passphrase: string | undefined,
): Promise<void> => {
  assertFree(file);
  const part = partOf(file);
  // The data files are mostly empty pages: more effort gains little.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const target = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true });
  try {
    const seal = (content: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
      passphrase === undefined ? content : sealed(content, passphrase);
    await pipeline(Readable.from(tarOf(entries)), gzip, seal, target);
    assertFree(file);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
};

const isSealed = async (file: string): Promise<boolean> => {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(SEALED.length), position: 0 });
    if (buffer.equals(SEALED)) return true;
    if (buffer.subarray(0, GZIP.length).equals(GZIP)) return false;
  } finally {
    await handle.close();
  }
  throw new BackupUnusable(`${file} is no backup of Acervo; make one with --backup.`);
};

/** The path of an entry below a directory. @throws BackupUnusable for a name that leads out of it */
const placeOf = (directory: string, name: string): string => {
  const path = resolve(directory, name);
  if (!path.startsWith(`${directory}${sep}`))
    throw new BackupUnusable(`The backup names ${name}, which is no part of one.`);
  return path;
};

const writeEntry = async (directory: string, { name, content }: TarEntry): Promise<void> => {
  const path = placeOf(directory, name);
  if (name.endsWith('/')) return void (await mkdir(path, { recursive: true, mode: 0o700 }));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(Readable.from(content), createWriteStream(path, { mode: 0o600, flags: 'wx' }));
};

/** Writes all entries of an archive; returns the number of files. */
const unpack = async (directory: string, archive: AsyncIterable<Buffer>): Promise<number> => {
  let files = 0;
  for await (const entry of entriesOf(archive)) {
    await writeEntry(directory, entry);
    if (!entry.name.endsWith('/')) files += 1;
  }
  return files;
};

/** What a wrong passphrase opens is no archive, long before its end proves that. */
const explained = (file: string, isClosed: boolean, error: unknown): unknown => {
  const isDamaged = error instanceof TarDamaged || String((error as NodeJS.ErrnoException).code).startsWith('Z_');
  if (error instanceof SealBroken || (isClosed && isDamaged))
    return new BackupUnusable(
      `${file} cannot be opened: ${PASSPHRASE} is not the passphrase that it was made with, or the file is damaged. Nothing was restored.`,
    );
  if (!isDamaged) return error;
  return new BackupUnusable(`${file} is damaged or was cut; nothing was restored. Use another copy of it.`);
};

/** Renames a directory to a missing or an empty one. @throws BackupUnusable where another start filled that meanwhile */
const putInPlace = async (part: string, directory: string): Promise<void> => {
  try {
    await rename(part, directory);
  } catch (error) {
    if (!TAKEN.has((error as NodeJS.ErrnoException).code)) throw error;
    throw new BackupUnusable(
      `${directory} was filled while the backup was unpacked; it stays as it is, and nothing was restored. Restore into a new directory, named with --data.`,
    );
  }
};

/**
 * Unpacks a backup into a directory, which has its files once all of them are proved to be those of the backup.
 * Returns how many.
 * @param check refuses what was unpacked, by throwing
 * @throws BackupUnusable with the reason and the remedy; the directory is left alone
 */
export const readBackup = async (
  file: string,
  directory: string,
  { passphrase, check }: { readonly passphrase: string | undefined; readonly check: (unpacked: string) => void },
): Promise<number> => {
  const isClosed = await isSealed(file);
  if (isClosed && passphrase === undefined)
    throw new BackupUnusable(`${file} is encrypted; set ${PASSPHRASE} to the passphrase that it was made with.`);
  // A link stays, and what it leads to becomes the directory.
  const place = await realpath(directory).catch(() => directory);
  const part = partOf(place);
  await mkdir(part, { recursive: true, mode: 0o700 });
  let unpacking = Promise.resolve(0);
  try {
    const open = (content: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
      isClosed && passphrase !== undefined ? unsealed(content, passphrase) : content;
    const write = (archive: AsyncIterable<Buffer>): Promise<number> => (unpacking = unpack(part, archive));
    await pipeline(createReadStream(file), open, createGunzip(), write);
    if (!existsSync(join(part, 'acervo.json'))) throw new TarDamaged('There is no manifest.');
    check(part);
    await putInPlace(part, place);
    return await unpacking;
  } catch (error) {
    // A file that is being written would come back.
    await unpacking.catch(() => undefined);
    await rm(part, { recursive: true, force: true });
    throw explained(file, isClosed, error);
  }
};
