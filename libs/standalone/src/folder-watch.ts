import { basename } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { ruleForName } from '@acervo/ingestion';
import type { Say } from './intake';

export interface WatchTimes {
  /** Quiet that a folder must have had before it is scanned, in milliseconds. */
  readonly quietMs: number;
  /** Longest time from a change to the scan, however busy the folder is. */
  readonly longestMs: number;
  /** Time between two scans of a folder where nothing seems to change. */
  readonly everyMs: number;
}

const TIMES: WatchTimes = { quietMs: 2_000, longestMs: 30_000, everyMs: 15 * 60_000 };

/** One folder: scanned soon after a change, and now and then in any case. Never twice at the same time. */
class WatchedFolder {
  private readonly watcher: FSWatcher;
  private quiet: NodeJS.Timeout | undefined;
  private firstChange: number | undefined;
  private readonly periodic: NodeJS.Timeout;
  private scanning: Promise<void> | undefined;
  private again = false;
  private saidIncomplete = false;

  constructor(
    private readonly folder: string,
    private readonly rescan: (folder: string) => Promise<void>,
    private readonly times: WatchTimes,
    say: Say,
  ) {
    const ignored = (path: string): boolean => path !== folder && ruleForName(basename(path)) !== undefined;
    this.watcher = watch(folder, { ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true, ignored });
    this.watcher.on('all', () => this.changed());
    this.watcher.on('error', () => {
      if (this.saidIncomplete) return;
      this.saidIncomplete = true;
      const minutes = Math.round(times.everyMs / 60_000);
      say(`Changes in ${folder} cannot be watched all; it is scanned every ${minutes} minutes.`);
    });
    this.periodic = setInterval(() => this.scan(), times.everyMs);
  }

  /** Waits for a scan that is under way. */
  async close(): Promise<void> {
    clearTimeout(this.quiet);
    clearInterval(this.periodic);
    this.again = false;
    await this.watcher.close();
    await this.scanning;
  }

  private changed(): void {
    this.firstChange ??= Date.now();
    clearTimeout(this.quiet);
    const left = Math.max(0, this.firstChange + this.times.longestMs - Date.now());
    this.quiet = setTimeout(() => this.scan(), Math.min(this.times.quietMs, left));
  }

  private scan(): void {
    this.firstChange = undefined;
    if (this.scanning !== undefined) {
      this.again = true;
      return;
    }
    this.scanning = this.rescan(this.folder).finally(() => {
      this.scanning = undefined;
      if (!this.again) return;
      this.again = false;
      this.scan();
    });
  }
}

/** Folders that are scanned when something in them changes. */
export class FolderWatch {
  private readonly folders = new Map<string, WatchedFolder>();

  /** @param rescan scans one folder; it says itself what went wrong and never rejects. */
  constructor(
    private readonly rescan: (folder: string) => Promise<void>,
    private readonly say: Say,
    private readonly times: WatchTimes = TIMES,
  ) {}

  add(folder: string): void {
    if (!this.folders.has(folder))
      this.folders.set(folder, new WatchedFolder(folder, this.rescan, this.times, this.say));
  }

  /** Watches a folder no more; a scan of it that is under way ends first. */
  async remove(folder: string): Promise<void> {
    const watched = this.folders.get(folder);
    this.folders.delete(folder);
    await watched?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.folders.values()].map((folder) => folder.close()));
  }
}
