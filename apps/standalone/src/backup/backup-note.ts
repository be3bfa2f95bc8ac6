import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupUnusable } from './backup-file';

/** What a backup says of itself. */
export interface BackupNote {
  readonly acervo: 'backup';
  /** Version of the content; it rises with each change that older programs cannot restore. */
  readonly version: number;
  /** The moment that the database shows. */
  readonly createdAt: string;
}

export const NOTE = 'backup.json';
const VERSION = 1;

/** The text of the note of a backup that this version makes. */
export const noteOf = (at: number): string => {
  const note: BackupNote = { acervo: 'backup', version: VERSION, createdAt: new Date(at).toISOString() };
  return `${JSON.stringify(note, null, 2)}\n`;
};

const parsed = (unpacked: string): unknown => {
  try {
    return JSON.parse(readFileSync(join(unpacked, NOTE), 'utf8'));
  } catch {
    return undefined;
  }
};

const isNote = (note: unknown): note is BackupNote => {
  const { acervo, version, createdAt } = (note ?? {}) as Readonly<Record<string, unknown>>;
  return acervo === 'backup' && typeof version === 'number' && !Number.isNaN(Date.parse(String(createdAt)));
};

/**
 * The note of an unpacked backup.
 * @throws BackupUnusable for an archive of something else, and for a backup of a newer version
 */
export const readNote = (unpacked: string): BackupNote => {
  const note = parsed(unpacked);
  if (!isNote(note))
    throw new BackupUnusable(
      'The archive does not say that it is a backup of Acervo; nothing was restored. Make one with --backup.',
    );
  if (note.version > VERSION)
    throw new BackupUnusable(
      `The backup has version ${note.version} and this program restores up to ${VERSION}; nothing was restored. Restore it with the newer version that made it.`,
    );
  return note;
};
