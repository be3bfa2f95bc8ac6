import { existsSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { EXCLUSIONS } from '@acervo/files/exclusions';
import { WatchedExclusions } from './watched-exclusions';

/** Opens a watcher of chokidar. */
export type Watch = typeof watch;

/** A change of a file or folder that a scan may read. */
export interface TreeChange {
  readonly path: string;
  /** Content was written; otherwise the path came, went or moved. */
  readonly isWritten: boolean;
}

/** Callbacks of a watched tree. */
export interface TreeNews {
  changed(change: TreeChange): void;
  /** The watch no longer fits the tree: a folder was replaced or unmounted, or the exclusions changed. */
  outdated(): void;
  /** Some folders are not watched. */
  incomplete(): void;
}

/** Longest time until all folders of a tree are watched, in milliseconds. */
export const LONGEST_OPENING_MS = 60_000;

/** Reports changes below a folder. It watches folders only, not files: the system limits the number of watches. */
export class TreeWatch {
  /** Resolves when every folder is watched, after `close`, or after the longest opening time. */
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
    // Chokidar reports folders that come and go. Its raw events report files, which have no watch of their own.
    this.watcher.on('all', (_event, path) => news.changed({ path, isWritten: false }));
    this.watcher.on('raw', (event, name: string | null, about) => {
      const { watchedPath } = about as { readonly watchedPath: string };
      this.heard(name, watchedPath, event === 'change');
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

  private heard(name: string | null, within: string, isWritten: boolean): void {
    if (within !== this.folder && !this.isBelow(within)) return;
    if (name === EXCLUSIONS) this.news.outdated();
    else if (name === basename(within) && this.isReplaced(within)) this.news.outdated();
    else if (name !== null && this.exclusions.leavesOut(join(within, name), false)) return;
    this.news.changed({ path: name === null ? within : join(within, name), isWritten });
  }

  private isBelow(path: string): boolean {
    return path.startsWith(this.folder.endsWith(sep) ? this.folder : `${this.folder}${sep}`);
  }

  /**
   * The system reports a removed folder under its own name. If the path still exists, another folder has replaced it.
   */
  private isReplaced(folder: string): boolean {
    return folder === this.folder || existsSync(folder);
  }
}
