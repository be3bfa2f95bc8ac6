import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EXCLUSIONS, MOST_EXCLUSIONS } from './ignore-rules';

/** The entries of a folder. */
export interface FolderListing {
  readonly names: readonly string[];
  /** Entries whose names are not UTF-8: the decoded name does not lead back to them. */
  readonly undecodable: number;
  /** Text of the folder's own exclusions; undefined where it has none. */
  readonly exclusions: string | undefined;
}

/** Stands in decoded text for bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/** The exclusions of a folder cannot be read: nothing in the folder may be read. */
export class ExclusionsUnreadable extends Error {
  constructor() {
    super(`The file ${EXCLUSIONS} of a folder cannot be read as one; make it a file that may be read, or remove it.`);
    this.name = 'ExclusionsUnreadable';
  }
}

/** The text of a file of exclusions. @throws when it is unreadable */
const readExclusions = async (path: string): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MOST_EXCLUSIONS) throw new ExclusionsUnreadable();
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

const ownExclusions = (path: string): Promise<string | undefined> =>
  readExclusions(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ExclusionsUnreadable();
  });

/** A name as text; undefined where the text does not lead back to it. */
const decoded = (name: Buffer): string | undefined => {
  const text = name.toString('utf8');
  return Buffer.from(text, 'utf8').equals(name) ? text : undefined;
};

/** Lists a folder. @throws ExclusionsUnreadable, or the error of the file system */
export const listFolder = async (path: string): Promise<FolderListing> => {
  let names: string[] = await readdir(path);
  let undecodable = 0;
  if (names.some((name) => name.includes(REPLACEMENT))) {
    const all = await readdir(path, { encoding: 'buffer' });
    names = all.flatMap((name) => decoded(name) ?? []);
    undecodable = all.length - names.length;
  }
  // Without the exclusions, a scan might read files that their owner excluded.
  const exclusions = names.includes(EXCLUSIONS) ? await ownExclusions(join(path, EXCLUSIONS)) : undefined;
  return { names, undecodable, exclusions };
};
