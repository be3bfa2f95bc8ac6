import type { BigIntStats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnoredName } from './ignored-names';

/** A folder as a scan met it. `path` is relative to the root, with `/`; the root's own is empty. */
export interface FoundFolder {
  readonly path: string;
  readonly name: string;
  readonly parent: FoundFolder | null;
  readonly depth: number;
  /** `root` on the device of the root: device numbers change between two starts of a machine, this does not. */
  readonly device: string;
  readonly inode: string;
}

/** A regular file as a scan met it. */
export interface FoundFile {
  readonly folder: FoundFolder;
  readonly name: string;
  readonly size: number;
  /** Nanoseconds, as text: they do not fit a number. */
  readonly mtime: string;
}

/** Everything below a root. Folders come after the folder they lie in. */
export interface Walk {
  readonly folders: readonly FoundFolder[];
  readonly files: readonly FoundFile[];
  /** Hidden, temporary, linked, special and unreadable entries. */
  readonly ignored: number;
  /** Folders that could not be listed: what lies in them is unknown, not gone. */
  readonly unreadable: number;
}

/** The root itself cannot be listed, or is no longer the folder that was registered. */
export class RootUnreadable extends Error {
  constructor() {
    super('The root folder cannot be read; nothing can be said about what lies in it.');
    this.name = 'RootUnreadable';
  }
}

const AT_ONCE = 64;
/** Ancestors of a document are listed in every event about it; no sane tree is deeper. */
const DEEPEST = 150;

const fullPath = (root: string, { path }: FoundFolder): string => (path === '' ? root : join(root, path));

class Walker {
  readonly folders: FoundFolder[] = [];
  readonly files: FoundFile[] = [];
  ignored = 0;
  unreadable = 0;

  constructor(
    private readonly root: string,
    private readonly device: bigint,
  ) {}

  async visit(start: FoundFolder): Promise<void> {
    const stack = [start];
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      this.folders.push(folder);
      stack.push(...(await this.list(folder)).toReversed());
    }
  }

  /** Takes note of the files of a folder; answers the folders in it. */
  private async list(folder: FoundFolder): Promise<FoundFolder[]> {
    const names = await this.namesIn(folder);
    const below: FoundFolder[] = [];
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const slice = names.slice(from, from + AT_ONCE);
      const found = await Promise.all(slice.map((name) => this.look(folder, name)));
      slice.forEach((name, index) => below.push(...this.sort(folder, name, found[index])));
    }
    return below;
  }

  private async namesIn(folder: FoundFolder): Promise<string[]> {
    const path = fullPath(this.root, folder);
    const names = await readdir(path).catch(() => undefined);
    // Between the look at the folder and its listing somebody may have put a link in its place.
    if (names === undefined || (await realpath(path).catch(() => '')) !== path) {
      if (folder.parent === null) throw new RootUnreadable();
      this.ignored += 1;
      this.unreadable += 1;
      return [];
    }
    const kept = names.filter((name) => !isIgnoredName(name)).sort();
    this.ignored += names.length - kept.length;
    return kept;
  }

  private look(folder: FoundFolder, name: string): Promise<BigIntStats | undefined> {
    return lstat(join(fullPath(this.root, folder), name), { bigint: true }).catch(() => undefined);
  }

  private sort(folder: FoundFolder, name: string, stats: BigIntStats | undefined): FoundFolder[] {
    if (stats?.isFile() === true) {
      this.files.push({ folder, name, size: Number(stats.size), mtime: String(stats.mtimeNs) });
      return [];
    }
    if (stats?.isDirectory() === true && folder.depth < DEEPEST) return [this.below(folder, name, stats)];
    this.ignored += 1;
    if (stats === undefined || stats.isDirectory()) this.unreadable += 1;
    return [];
  }

  private below(parent: FoundFolder, name: string, { dev, ino }: BigIntStats): FoundFolder {
    return {
      path: parent.path === '' ? name : `${parent.path}/${name}`,
      name,
      parent,
      depth: parent.depth + 1,
      device: dev === this.device ? 'root' : String(dev),
      inode: String(ino),
    };
  }
}

/**
 * Everything below a root, which is an absolute path without links. Links are not followed, special files are not
 * opened, no file is read. @throws RootUnreadable
 */
export const walk = async (root: string, name: string): Promise<Walk> => {
  const stats = await lstat(root, { bigint: true }).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new RootUnreadable();
  const walker = new Walker(root, stats.dev);
  await walker.visit({ path: '', name, parent: null, depth: 0, device: 'root', inode: String(stats.ino) });
  const { folders, files, ignored, unreadable } = walker;
  return { folders, files, ignored, unreadable };
};
