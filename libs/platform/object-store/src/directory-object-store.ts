import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { groupPrefix, type ObjectOwner, ObjectMissing, ObjectStoreUnusable } from './object-key';
import { ObjectStore, type Page, type StoredObject } from './object-store';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

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

  async assertWritable(): Promise<void> {
    try {
      await mkdir(this.root, { recursive: true, mode: 0o700 });
      await access(this.root, constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new ObjectStoreUnusable(
        `The directory of objects, ${this.root}, cannot be written (${codeOf(error) ?? 'unknown'})`,
        'name one that all services share with ACERVO_OBJECTS_DIRECTORY, or set ACERVO_OBJECT_STORE=s3 and the bucket.',
      );
    }
  }

  protected async write(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.root, key);
    await rename(await this.writeBeside(path, bytes), path);
  }

  /** A link, unlike a renaming, fails where the name is taken. */
  protected async writeNew(key: string, bytes: Uint8Array): Promise<boolean> {
    const path = join(this.root, key);
    const temporaryPath = await this.writeBeside(path, bytes);
    try {
      await link(temporaryPath, path);
      return true;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      return false;
    } finally {
      await rm(temporaryPath, { force: true });
    }
  }

  /** Writes the bytes to a temporary file beside their place; answers its path. */
  private async writeBeside(path: string, bytes: Uint8Array): Promise<string> {
    const temporaryPath = `${path}.${randomUUID()}${UNFINISHED}`;
    const create = (): Promise<FileHandle> => open(temporaryPath, 'wx', 0o600);
    const file = await create().catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return create();
    });
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    return temporaryPath;
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
