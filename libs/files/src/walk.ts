import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { withTimeout } from '@acervo/platform-resilience';
import { ExclusionsUnreadable, listFolder } from './folder-listing';
import { EXCLUSIONS, ExclusionsRefused, type IgnoreRule, ruleForName } from './ignore-rules';
import { ExcludedEntries } from './excluded-entries';
import { RootUnreadable, WalkHung } from './walk-errors';

/** A folder that a scan found. `path` is relative to the root, with `/`; the root's own is empty. */
export interface FoundFolder {
  readonly path: string;
  readonly name: string;
  readonly parent: FoundFolder | null;
  readonly depth: number;
  /** `root` on the device of the root. Device numbers change between two starts of a machine; this does not. */
  readonly device: string;
  /** With the creation time, where the file system has one: inode numbers of removed folders are reused. */
  readonly inode: string;
}

/** A regular file that a scan found. */
export interface FoundFile {
  readonly folder: FoundFolder;
  readonly name: string;
  readonly size: number;
  /** Nanoseconds, as text: they exceed a number. */
  readonly mtime: string;
  /** When anything about the file last changed, permissions included; nanoseconds, as text. */
  readonly changeTime: string;
}

/** A part of a tree that was not seen: a whole folder, or one entry, which may be a file or a folder. */
export interface Unseen {
  readonly folder: FoundFolder;
  /** Of the entry; null for the folder itself. */
  readonly name: string | null;
  /** The folder's file of exclusions was unreadable or refused, so nothing in the folder was read. */
  readonly forExclusions?: boolean;
  /** The line of its first rule that cannot be applied. */
  readonly line?: number | undefined;
  /** The file system did not answer. */
  readonly hung?: boolean;
  readonly rule: Extract<IgnoreRule, 'unreadable' | 'too_deep'>;
}

/** Everything below a root. Folders come after the folder they lie in. */
export interface Walk {
  readonly folders: readonly FoundFolder[];
  readonly files: readonly FoundFile[];
  /** How many entries each rule left out. */
  readonly ignored: ReadonlyMap<IgnoreRule, number>;
  /** The state of these places is unknown: their documents are not gone. */
  readonly unseen: readonly Unseen[];
  /** These places are unknown as well, because rules exclude them. */
  readonly leftOut: Pick<ExcludedEntries, 'coversFolder' | 'record'>;
}

export interface WalkLimits {
  /** Size of a file, in bytes, above which it is ignored. */
  readonly mostBytes: number;
  /** Longest time of one entry: one that hangs is unseen. Without it, the walk hangs with it. */
  readonly entryMs?: number;
  /** Called for each folder, and for each entry that hung. */
  readonly progress?: () => void;
}

/** Entries that hung, after which a walk is given up: each keeps a thread, and the time of a worker. */
const MOST_HUNG = 8;

/** An entry was not answered in time. */
class EntryHung extends Error {}

const AT_ONCE = 64;
/** Every event about a document lists its ancestors; no sane tree is deeper. */
const DEEPEST = 150;

const inodeOf = ({ ino, birthtimeNs }: BigIntStats): string =>
  birthtimeNs > 0n ? `${ino}-${birthtimeNs.toString(36)}` : String(ino);

const timesOf = ({ mtimeNs, ctimeNs }: BigIntStats): Pick<FoundFile, 'mtime' | 'changeTime'> => ({
  mtime: String(mtimeNs),
  changeTime: String(ctimeNs),
});

const fullPath = (root: string, { path }: FoundFolder): string => (path === '' ? root : join(root, path));

const pathIn = ({ path }: FoundFolder, name: string): string => (path === '' ? name : `${path}/${name}`);

/** An entry that disappeared after its folder was listed. */
type Vanished = 'vanished';
const VANISHED: Vanished = 'vanished';
/** The file system did not answer in time. */
type Hung = 'hung';
const HUNG: Hung = 'hung';
/** What `lstat` found; undefined where it failed. */
type Look = BigIntStats | Vanished | Hung | undefined;

const isAbsence = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR';

/** Why a folder was not listed. */
type Unlisted = 'folder' | Hung | ExclusionsUnreadable | ExclusionsRefused;

/** The files and folders of one folder while its entries are sorted. */
interface Sorting {
  readonly folder: FoundFolder;
  readonly name: string;
  readonly below: FoundFolder[];
  readonly files: FoundFile[];
}

class Walker {
  readonly folders: FoundFolder[] = [];
  readonly files: FoundFile[] = [];
  readonly ignored = new Map<IgnoreRule, number>();
  readonly unseen: Unseen[] = [];
  readonly leftOut = new ExcludedEntries();
  private hung = 0;

  constructor(
    private readonly root: string,
    private readonly device: bigint,
    private readonly limits: WalkLimits,
  ) {}

  async visit(start: FoundFolder): Promise<void> {
    const stack = [start];
    for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
      this.limits.progress?.();
      this.folders.push(folder);
      stack.push(...(await this.list(folder)).toReversed());
    }
  }

  /** Records the files of a folder; answers its subfolders. */
  private async list(folder: FoundFolder): Promise<FoundFolder[]> {
    const names = await this.namesIn(folder);
    if (!Array.isArray(names)) return this.skip(folder, names);
    const below: FoundFolder[] = [];
    const files: FoundFile[] = [];
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const slice = names.slice(from, from + AT_ONCE);
      const found = await Promise.all(slice.map((name) => this.look(folder, name)));
      slice.forEach((name, index) => {
        const look = found[index];
        if (look === HUNG) this.leaveHung(folder, name);
        else if (look !== VANISHED) this.sort({ folder, name, below, files }, look);
      });
    }
    // A share that disappears during the listing leaves an empty folder, or removes listed entries.
    if (!(await this.isStillThere(folder))) return this.skip(folder);
    for (const file of files) this.files.push(file);
    return below;
  }

  /** Skips a folder that is unreadable or was replaced. @throws RootUnreadable */
  private skip(folder: FoundFolder, cause: Unlisted = 'folder'): FoundFolder[] {
    const forExclusions = typeof cause !== 'string';
    const refused = cause instanceof ExclusionsRefused ? cause : undefined;
    if (cause === HUNG) this.countHung(folder);
    if (folder.parent === null) throw new RootUnreadable(forExclusions, refused);
    this.count('unreadable');
    this.unseen.push({
      folder,
      name: null,
      rule: 'unreadable',
      forExclusions,
      line: refused?.line,
      hung: cause === HUNG,
    });
    return [];
  }

  /**
   * The names in a folder that no rule on names excludes, after its exclusions are read; otherwise what is unreadable.
   */
  private async namesIn(folder: FoundFolder): Promise<string[] | Unlisted> {
    const path = fullPath(this.root, folder);
    try {
      const { names, undecodable, exclusions } = await this.inTime(listFolder(path));
      // A link may have replaced the folder between its `lstat` and its listing.
      if ((await this.inTime(realpath(path))) !== path) return 'folder';
      this.leftOut.exclude(folder.path, exclusions);
      this.count('not_utf8', undecodable);
      return this.namesToLookAt(names);
    } catch (error) {
      if (error instanceof EntryHung) return HUNG;
      return error instanceof ExclusionsUnreadable || error instanceof ExclusionsRefused ? error : 'folder';
    }
  }

  private namesToLookAt(names: readonly string[]): string[] {
    return names.toSorted().filter((name) => {
      const rule = ruleForName(name);
      // The file of exclusions is read, though not as a document, so it is not counted.
      if (rule !== undefined && name !== EXCLUSIONS) this.count(rule);
      return rule === undefined;
    });
  }

  private look(folder: FoundFolder, name: string): Promise<Look> {
    const looking = lstat(join(fullPath(this.root, folder), name), { bigint: true });
    return this.inTime(looking).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof EntryHung) return HUNG;
      return isAbsence(error) ? VANISHED : undefined;
    });
  }

  /** @throws EntryHung */
  private async inTime<T>(work: Promise<T>): Promise<T> {
    const { entryMs, progress } = this.limits;
    if (entryMs === undefined) return work;
    try {
      return await withTimeout(entryMs, work, () => new EntryHung());
    } finally {
      progress?.();
    }
  }

  private async isStillThere(folder: FoundFolder): Promise<boolean> {
    const now = await this.inTime(lstat(fullPath(this.root, folder), { bigint: true })).catch(() => undefined);
    return now !== undefined && this.deviceOf(now) === folder.device && inodeOf(now) === folder.inode;
  }

  private sort({ folder, name, below, files }: Sorting, stats: BigIntStats | undefined): void {
    const rule = this.ruleFor(folder, name, stats);
    if (rule !== undefined || stats === undefined) {
      this.count(rule ?? 'unreadable');
      if (rule === 'link' || rule === 'special') this.leftOut.passBy(pathIn(folder, name));
      if (rule === 'unreadable' || rule === 'too_deep') this.unseen.push({ folder, name, rule });
    } else if (stats.isDirectory()) below.push(this.below(folder, name, stats));
    else files.push({ folder, name, size: Number(stats.size), ...timesOf(stats) });
  }

  /** @throws WalkHung */
  private countHung({ parent }: Pick<FoundFolder, 'parent'>, isEntry = false): void {
    this.hung += 1;
    if (this.hung > MOST_HUNG || (parent === null && !isEntry)) throw new WalkHung();
  }

  /** The entry may be a file or a folder; one that rules exclude either way is no news. */
  private leaveHung(folder: FoundFolder, name: string): void {
    const rule = this.ruleFor(folder, name, undefined) ?? 'unreadable';
    this.countHung(folder, true);
    this.count(rule);
    if (rule !== 'excluded') this.unseen.push({ folder, name, rule: 'unreadable', hung: true });
  }

  private ruleFor(folder: FoundFolder, name: string, stats: BigIntStats | undefined): IgnoreRule | undefined {
    const path = pathIn(folder, name);
    const excludes = (isFolder: boolean): boolean => this.leftOut.excludes(path, isFolder);
    // An excluded entry is never reported as unreadable, whatever it is.
    if (stats === undefined) return excludes(false) || excludes(true) ? 'excluded' : 'unreadable';
    if (stats.isSymbolicLink()) return 'link';
    if (!stats.isFile() && !stats.isDirectory()) return 'special';
    if (excludes(stats.isDirectory())) return 'excluded';
    if (stats.isDirectory()) return folder.depth < DEEPEST ? undefined : 'too_deep';
    return stats.size > BigInt(this.limits.mostBytes) ? 'too_large' : undefined;
  }

  private count(rule: IgnoreRule, entries = 1): void {
    if (entries > 0) this.ignored.set(rule, (this.ignored.get(rule) ?? 0) + entries);
  }

  private deviceOf({ dev }: BigIntStats): string {
    return dev === this.device ? 'root' : String(dev);
  }

  private below(parent: FoundFolder, name: string, stats: BigIntStats): FoundFolder {
    return {
      path: pathIn(parent, name),
      name,
      parent,
      depth: parent.depth + 1,
      device: this.deviceOf(stats),
      inode: inodeOf(stats),
    };
  }
}

/**
 * Walks everything below a root, which is an absolute path without links. Links are not followed, special files are not
 * opened. Files of exclusions are the only files that are read. @throws RootUnreadable; WalkHung
 */
export const walk = async (root: string, name: string, limits: WalkLimits): Promise<Walk> => {
  const stats = await lstat(root, { bigint: true }).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new RootUnreadable();
  const walker = new Walker(root, stats.dev, limits);
  await walker.visit({ path: '', name, parent: null, depth: 0, device: 'root', inode: inodeOf(stats) });
  const { folders, files, ignored, unseen, leftOut } = walker;
  return { folders, files, ignored, unseen, leftOut };
};
