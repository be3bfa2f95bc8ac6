import { existsSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { EXCLUSIONS } from '@acervo/ingestion';
import { type FSWatcher, watch } from 'chokidar';
import { WatchedExclusions } from './watched-exclusions';

/** Opens a watcher of the library. */
export type Watch = typeof watch;

/** What is heard of a tree. */
export interface TreeNews {
  /** Something that a scan might read is not as it was. */
  changed(): void;
  /** This watch does not fit the tree any more: a folder was replaced or unmounted, or other things are excluded. */
  outdated(): void;
  /** Some folders are not watched. */
  incomplete(): void;
}

/** Longest time that a tree may take until all its folders are watched, in milliseconds. */
const LONGEST_OPENING_MS = 60_000;

/** Hears of what changes below a folder. Folders are watched and no files: the system has few watches to give. */
export class TreeWatch {
  /** Resolves when every folder is watched, this was closed, or it takes too long. */
  readonly ready: Promise<void>;
  private readonly watcher: FSWatcher;
  private readonly exclusions: WatchedExclusions;
  private opened: () => void = () => undefined;

  /** @param folder absolute and without links */
  constructor(
    private readonly folder: string,
    private readonly news: TreeNews,
    open: Watch = watch,
  ) {
    this.exclusions = new WatchedExclusions(folder);
    this.watcher = open(folder, {
      ...{ ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true },
      ignored: (path, stats) =>
        path !== folder &&
        (!this.isBelow(path) || stats?.isDirectory() === false || this.exclusions.leavesOut(path, true)),
    });
    this.ready = this.untilReady();
    // Folders that came and went, and what lies in them by the raw news of the folder: files have no watch to tell more.
    this.watcher.on('all', () => news.changed());
    this.watcher.on('raw', (_event, name: string | null, about) => {
      this.heard(name, (about as { readonly watchedPath: string }).watchedPath);
    });
    this.watcher.on('error', () => news.incomplete());
  }

  async close(): Promise<void> {
    this.opened();
    await this.watcher.close();
  }

  private untilReady(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LONGEST_OPENING_MS);
      this.opened = () => {
        clearTimeout(timer);
        resolve();
      };
      this.watcher.once('ready', this.opened);
    });
  }

  private heard(name: string | null, within: string): void {
    if (within !== this.folder && !this.isBelow(within)) return;
    if (name === EXCLUSIONS) this.news.outdated();
    else if (name === basename(within) && this.isReplaced(within)) this.news.outdated();
    else if (name !== null && this.exclusions.leavesOut(join(within, name), false)) return;
    this.news.changed();
  }

  private isBelow(path: string): boolean {
    return path.startsWith(this.folder.endsWith(sep) ? this.folder : `${this.folder}${sep}`);
  }

  /** A folder that ends tells so under its own name. Where it is there all the same, it is not the one that is watched. */
  private isReplaced(folder: string): boolean {
    return folder === this.folder || existsSync(folder);
  }
}
