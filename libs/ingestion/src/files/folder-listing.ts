import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EXCLUSIONS } from './ignore-rules';

/** What stands in a folder. */
export interface FolderListing {
  readonly names: readonly string[];
  /** Entries whose names are no UTF-8: nothing can be asked about them under what is read of the name. */
  readonly undecodable: number;
  /** Text of the folder's own exclusions; undefined where it has none. */
  readonly exclusions: string | undefined;
}

/** Size of a file of exclusions, in bytes, above which it is not one. */
export const MOST_EXCLUSIONS = 256_000;
/** What stands in a text for bytes that are none. */
const REPLACEMENT = '\uFFFD';

/** There are exclusions, and nobody can tell what they say: nothing of the folder may be read. */
export class ExclusionsUnreadable extends Error {
  constructor() {
    super(`The file ${EXCLUSIONS} of a folder cannot be read as one; make it a file that may be read, or remove it.`);
    this.name = 'ExclusionsUnreadable';
  }
}

/** The text of a file of exclusions. @throws when it cannot be read. */
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

/** A name as text; undefined where the text would not lead back to it. */
const decoded = (name: Buffer): string | undefined => {
  const text = name.toString('utf8');
  return Buffer.from(text, 'utf8').equals(name) ? text : undefined;
};

/** Lists a folder. @throws ExclusionsUnreadable, or what the file system says. */
export const listFolder = async (path: string): Promise<FolderListing> => {
  let names: string[] = await readdir(path);
  let undecodable = 0;
  if (names.some((name) => name.includes(REPLACEMENT))) {
    const all = await readdir(path, { encoding: 'buffer' });
    names = all.flatMap((name) => decoded(name) ?? []);
    undecodable = all.length - names.length;
  }
  // Without knowing what is excluded, something might be read that its owner wanted left out.
  const exclusions = names.includes(EXCLUSIONS) ? await ownExclusions(join(path, EXCLUSIONS)) : undefined;
  return { names, undecodable, exclusions };
};
