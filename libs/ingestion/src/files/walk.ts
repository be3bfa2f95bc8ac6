import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EXCLUSIONS, Exclusions, type IgnoreRule, ruleForName } from './ignore-rules';

/** A folder as a scan met it. `path` is relative to the root, with `/`; the root's own is empty. */
export interface FoundFolder {
  readonly path: string;
  readonly name: string;
  readonly parent: FoundFolder | null;
  readonly depth: number;
  /** `root` on the device of the root: device numbers change between two starts of a machine, this does not. */
  readonly device: string;
  /** With the moment it was made, where the file system knows it: numbers of removed folders are given out again. */
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
  /** How many entries each rule left out. */
  readonly ignored: ReadonlyMap<IgnoreRule, number>;
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

export interface WalkLimits {
  /** Size of a file, in bytes, above which it is left out. */
  readonly mostBytes: number;
}

const AT_ONCE = 64;
/** Size of a file of exclusions, in bytes, above which it is not one. */
export const MOST_EXCLUSIONS = 256_000;
/** Ancestors of a document are listed in every event about it; no sane tree is deeper. */
const DEEPEST = 150;

const inodeOf = ({ ino, birthtimeNs }: BigIntStats): string =>
  birthtimeNs > 0n ? `${ino}-${birthtimeNs.toString(36)}` : String(ino);

const fullPath = (root: string, { path }: FoundFolder): string => (path === '' ? root : join(root, path));

/** The text of a file of exclusions; undefined where the folder has none. @throws when there is one that cannot be read. */
const readExclusions = async (folder: string): Promise<string | undefined> => {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(folder, EXCLUSIONS), flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > MOST_EXCLUSIONS) throw new Error('The file of exclusions is too large to be one.');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

class Walker {
  readonly folders: FoundFolder[] = [];
  readonly files: FoundFile[] = [];
  readonly ignored = new Map<IgnoreRule, number>();
  unreadable = 0;
  private readonly exclusions = new Map<FoundFolder | null, Exclusions>([[null, Exclusions.none]]);

  constructor(
    private readonly root: string,
    private readonly device: bigint,
    private readonly limits: WalkLimits,
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
    const names = await this.listing(folder);
    if (names === undefined) {
      if (folder.parent === null) throw new RootUnreadable();
      this.leaveOut('unreadable');
      this.unreadable += 1;
      return [];
    }
    return names.sort().filter((name) => {
      const rule = ruleForName(name);
      // The file of exclusions is read, if not as a document.
      if (rule !== undefined && name !== EXCLUSIONS) this.leaveOut(rule);
      return rule === undefined;
    });
  }

  /** The names in a folder, its exclusions known; undefined where it cannot be read as the folder it was. */
  private async listing(folder: FoundFolder): Promise<string[] | undefined> {
    const path = fullPath(this.root, folder);
    try {
      const names = await readdir(path);
      const inherited = this.exclusions.get(folder.parent) ?? Exclusions.none;
      // Without knowing what is excluded, something might be read that its owner wanted left out.
      const own = names.includes(EXCLUSIONS) ? await readExclusions(path) : undefined;
      this.exclusions.set(folder, own === undefined ? inherited : inherited.and(folder.path, own));
      // Between the look at the folder and its listing somebody may have put a link in its place.
      return (await realpath(path)) === path ? names : undefined;
    } catch {
      return undefined;
    }
  }

  private look(folder: FoundFolder, name: string): Promise<BigIntStats | undefined> {
    return lstat(join(fullPath(this.root, folder), name), { bigint: true }).catch(() => undefined);
  }

  private sort(folder: FoundFolder, name: string, stats: BigIntStats | undefined): FoundFolder[] {
    const rule = this.ruleFor(folder, name, stats);
    if (rule !== undefined || stats === undefined) {
      this.leaveOut(rule ?? 'unreadable');
      if (rule === 'unreadable' || rule === 'too_deep') this.unreadable += 1;
      return [];
    }
    if (stats.isDirectory()) return [this.below(folder, name, stats)];
    this.files.push({ folder, name, size: Number(stats.size), mtime: String(stats.mtimeNs) });
    return [];
  }

  private ruleFor(folder: FoundFolder, name: string, stats: BigIntStats | undefined): IgnoreRule | undefined {
    if (stats === undefined) return 'unreadable';
    if (stats.isSymbolicLink()) return 'link';
    if (!stats.isFile() && !stats.isDirectory()) return 'special';
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    if (this.exclusions.get(folder)?.excludes(path, stats.isDirectory()) === true) return 'excluded';
    if (stats.isDirectory()) return folder.depth < DEEPEST ? undefined : 'too_deep';
    return stats.size > BigInt(this.limits.mostBytes) ? 'too_large' : undefined;
  }

  private leaveOut(rule: IgnoreRule): void {
    this.ignored.set(rule, (this.ignored.get(rule) ?? 0) + 1);
  }

  private below(parent: FoundFolder, name: string, stats: BigIntStats): FoundFolder {
    return {
      path: parent.path === '' ? name : `${parent.path}/${name}`,
      name,
      parent,
      depth: parent.depth + 1,
      device: stats.dev === this.device ? 'root' : String(stats.dev),
      inode: inodeOf(stats),
    };
  }
}

/**
 * Everything below a root, which is an absolute path without links. Links are not followed, special files are not
 * opened, and no file is read but those of exclusions. @throws RootUnreadable
 */
export const walk = async (root: string, name: string, limits: WalkLimits): Promise<Walk> => {
  const stats = await lstat(root, { bigint: true }).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new RootUnreadable();
  const walker = new Walker(root, stats.dev, limits);
  await walker.visit({ path: '', name, parent: null, depth: 0, device: 'root', inode: inodeOf(stats) });
  const { folders, files, ignored, unreadable } = walker;
  return { folders, files, ignored, unreadable };
};
