import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseCopy } from '@acervo/platform-database';
import { KeyedMutex } from '@acervo/platform-resilience';
import type { DataDirectory } from '../resources/data-directory';
import type { Print } from '../kernel/print';
import { writeBackup } from './backup-file';
import { NOTE, noteOf } from './backup-note';
import type { TarEntry } from './tar';

/** Copies the data files of the database into a directory. */
export type CopyDatabase = (into: string) => Promise<DatabaseCopy>;

export interface BackupRequest {
  readonly file: string;
  readonly passphrase: string | undefined;
  readonly print: Print;
}

/** Signed heads of audit records, as operations names this kind of objects. */
const ANCHOR = /\/audit-anchor\//;
/** Unfinished files of the stores. */
const UNFINISHED = '.part';

const nothing = async function* (): AsyncGenerator<Buffer> {};
const text = async function* (content: Buffer): AsyncGenerator<Buffer> {
  yield content;
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

type DatedEntry = TarEntry & { readonly modifiedMs: number };

/** A file as an entry. One that is replaced meanwhile is read as it was. @throws where it does not exist */
const entryOf = async (name: string, path: string): Promise<DatedEntry> => {
  const handle = await open(path);
  const { size, mtimeMs } = await handle.stat();
  const content: AsyncIterable<Buffer> =
    size === 0 ? nothing() : createReadStream('', { fd: handle, start: 0, end: size - 1 });
  if (size === 0) await handle.close();
  return { name, bytes: size, content, modifiedMs: mtimeMs };
};

/**
 * A directory with all that is in it. The engine needs its empty directories too.
 * @param mayVanish whether other work deletes files meanwhile; they are left out. @throws where one is missing otherwise
 */
async function* treeOf(name: string, path: string, mayVanish: boolean): AsyncGenerator<DatedEntry> {
  const orVanished =
    <T>(value: T) =>
    (error: unknown): T => {
      if (mayVanish && isMissing(error)) return value;
      throw error;
    };
  const entries = await readdir(path, { withFileTypes: true }).catch(orVanished([]));
  yield { name: `${name}/`, bytes: 0, content: nothing(), modifiedMs: 0 };
  for (const entry of entries) {
    const [child, place] = [`${name}/${entry.name}`, join(path, entry.name)];
    if (entry.isDirectory()) yield* treeOf(child, place, mayVanish);
    else if (entry.isFile() && !entry.name.endsWith(UNFINISHED)) {
      const file = await entryOf(child, place).catch(orVanished(undefined));
      if (file !== undefined) yield file;
    }
  }
}

/**
 * The database precedes the objects, so those that it names were made before they are copied. A document that changes
 * meanwhile releases its objects, and the garbage collector may delete them first: the reconciler of a restored
 * installation finds the missing ones and repeats their steps. Unnamed objects are collected later. A signed head of
 * audit records that is younger than the database would name records that the backup lacks.
 */
async function* contentOf(directory: DataDirectory, copied: string, { at }: DatabaseCopy): AsyncGenerator<TarEntry> {
  const note = Buffer.from(noteOf(at));
  yield { name: NOTE, bytes: note.length, content: text(note) };
  for (const name of ['acervo.json', 'secrets.json']) yield await entryOf(name, join(directory.path, name));
  yield* treeOf('database/cluster', copied, false);
  for await (const entry of treeOf('objects', directory.objects, true)) {
    if (ANCHOR.test(entry.name) && entry.modifiedMs > at) {
      for await (const _ of entry.content);
      continue;
    }
    yield entry;
  }
  yield* treeOf('mail', directory.mail, true);
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

const writeFrom = async (
  directory: DataDirectory,
  copyDatabase: CopyDatabase,
  { file, passphrase, print }: BackupRequest,
): Promise<void> => {
  const began = performance.now();
  const copied = join(directory.path, 'backup.part');
  await rm(copied, { recursive: true, force: true });
  try {
    const copy = await copyDatabase(copied);
    await writeBackup(file, contentOf(directory, copied, copy), passphrase);
    const { size } = await stat(file);
    const seconds = (performance.now() - began) / 1_000;
    print(
      `Backed up to ${file}: ${megabytes(size)} after ${seconds.toFixed(1)} s, as of ${new Date(copy.at).toISOString()}; the database paused for ${(copy.pausedMs / 1_000).toFixed(1)} s.`,
    );
    print(
      passphrase === undefined
        ? 'It is not encrypted and contains the server key: it opens the installation to every reader. Set ACERVO_BACKUP_PASSPHRASE to encrypt.'
        : 'It is encrypted: it cannot be restored without ACERVO_BACKUP_PASSPHRASE. Keep the passphrase apart.',
    );
  } finally {
    await rm(copied, { recursive: true, force: true });
  }
};

/** Backups of one directory share the place of the copied database. */
const backups = new KeyedMutex();

/** Backs an installation up into a file, while it runs; another backup of it is awaited first. @throws BackupUnusable */
export const backUp = (directory: DataDirectory, copyDatabase: CopyDatabase, request: BackupRequest): Promise<void> =>
  backups.run(directory.path, () => writeFrom(directory, copyDatabase, request));
