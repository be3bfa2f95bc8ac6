import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { groupPrefix, type ObjectOwner, ObjectMissing } from './object-key';
import { ObjectStore } from './object-store';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Objects as files below a directory. A reader sees the whole object or none: it is written aside and renamed. */
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
      if (entry.isFile() && !entry.name.endsWith('.part'))
        yield relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/');
  }

  protected async write(key: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.root, key);
    const aside = `${path}.${randomUUID()}.part`;
    await mkdir(dirname(path), { recursive: true });
    const file = await open(aside, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
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
