import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Print } from '../kernel/print';
import { assertEngineFits, hasDatabase, readManifest } from '../resources/layout';
import { BackupUnusable, readBackup } from './backup-file';
import { readNote } from './backup-note';

const isEmpty = (directory: string): boolean => !existsSync(directory) || readdirSync(directory).length === 0;

const MINUTE_MS = 60_000;
const shown = (ms: number): string =>
  ms < 2 * MINUTE_MS ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / MINUTE_MS)} min`;

/**
 * Makes a data directory from a backup. What happened after the moment of the backup is lost; the next scan finds what
 * changed in the folders.
 * @throws BackupUnusable, and DataDirectoryUnusable for a layout that this version cannot read
 */
export const restoreBackup = async (
  file: string,
  directory: string,
  { passphrase, print }: { readonly passphrase: string | undefined; readonly print: Print },
): Promise<void> => {
  if (!isEmpty(directory))
    throw new BackupUnusable(`${directory} is not empty; restore into a new directory, named with --data.`);
  const began = performance.now();
  let createdAt = '';
  const check = (unpacked: string): void => {
    ({ createdAt } = readNote(unpacked));
    readManifest(directory, readFileSync(join(unpacked, 'acervo.json'), 'utf8'));
    if (!hasDatabase(unpacked))
      throw new BackupUnusable(`${file} contains no database; nothing was restored. Use another backup.`);
    assertEngineFits(unpacked);
  };
  const files = await readBackup(file, directory, { passphrase, check });
  const seconds = (performance.now() - began) / 1_000;
  const lost = shown(Date.now() - Date.parse(createdAt));
  print(
    `Restored from ${file} in ${seconds.toFixed(1)} s: ${files} files, as of ${createdAt}. What was done in the ${lost} since is lost; changes in folders are found again.`,
  );
};
