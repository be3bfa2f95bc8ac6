import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { groupPrefix, type ObjectOwner, ObjectMissing } from './object-key';
import { ObjectStore, type Page, type StoredObject } from './object-store';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Suffix of a file until it is complete. */
const UNFINISHED = '.part';

const orWhenMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(orWhenMissing<string[]>([]));
const modifiedAtOf = (path: string): Promise<Date | undefined> =>
  stat(path).then(({ mtime }) => mtime, orWhenMissing(undefined));

/**
 * Objects as files below a directory. A reader sees the whole object or none: it is written to a temporary file and
 * renamed. Only the owner of the process can read them.
 */
export class DirectoryObjectStore extends ObjectStore {
  constructor(private readonly root: string) {
    super();
  }

  async *list(owner: ObjectOwner): AsyncIterable<string> {
    const folder = join(this.root, groupPrefix(owner));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const entry of entries)
      if (entry.isFile() && !entry.name.endsWith(UNFINISHED))
        yield relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/');
  }

  async tidy(owner: ObjectOwner, before: Date): Promise<number> {
    let gone = 0;
    const folder = join(this.root, groupPrefix(owner));
    for (const kind of await namesIn(folder))
      for (const name of await namesIn(join(folder, kind))) {
        if (!name.endsWith(UNFINISHED)) continue;
        const path = join(folder, kind, name);
        const modifiedAt = await modifiedAtOf(path);
        if (modifiedAt === undefined || modifiedAt >= before) continue;
        await rm(path, { force: true });
        gone += 1;
      }
    return gone;
  }

  protected async exists(key: string): Promise<boolean> {
    return (await modifiedAtOf(join(this.root, key))) !== undefined;
  }

  /** A directory has no order, so its names are sorted for each page. */
  protected async pageOf(prefix: string, { after, limit }: Page): Promise<readonly StoredObject[]> {
    const names = (await namesIn(join(this.root, prefix))).filter((name) => !name.endsWith(UNFINISHED));
    const keys = names.map((name) => `${prefix}${name}`).filter((key) => after === null || key > after);
    const page: StoredObject[] = [];
    for (const key of keys.sort().slice(0, limit)) {
      const modifiedAt = await modifiedAtOf(join(this.root, key));
      // Deleted since it was listed: still shown, because a short page ends the listing.
      page.push({ key, modifiedAt: modifiedAt ?? new Date() });
    }
    return page;
  }

  protected async write(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.root, key);
    const temporaryPath = `${path}.${randomUUID()}${UNFINISHED}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporaryPath, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  }

  protected async read(key: string): Promise<Buffer> {
    try {
      return await readFile(join(this.root, key));
    } catch (error) {
      throw isMissing(error) ? new ObjectMissing() : error;
    }
  }

  protected async remove(key: string): Promise<void> {
    await rm(join(this.root, key), { force: true });
  }
}
