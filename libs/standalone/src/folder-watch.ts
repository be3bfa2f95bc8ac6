import { stat } from 'node:fs/promises';
import type { Say } from './intake';
import { TreeWatch, type Watch } from './tree-watch';

export interface WatchTimes {
  /** Quiet that a folder must have had before it is scanned, in milliseconds. */
  readonly quietMs: number;
  /** Longest time from a change to the scan, however busy the folder is. */
  readonly longestMs: number;
  /** Time between two scans of a folder where nothing seems to change. */
  readonly everyMs: number;
  /** Time between two looks whether the folder is still the one that is watched. */
  readonly lookMs: number;
}

const TIMES: WatchTimes = { quietMs: 2_000, longestMs: 30_000, everyMs: 15 * 60_000, lookMs: 30_000 };

/** Which folder lies at a path now, by device and number; undefined where none does, or none that may be seen. */
const identityOf = (folder: string): Promise<string | undefined> =>
  stat(folder, { bigint: true }).then(
    ({ dev, ino }) => `${dev}-${ino}`,
    () => undefined,
  );

export interface WatchParts {
  /** Scans one folder; says itself what went wrong and never rejects. */
  rescan(folder: string): Promise<void>;
  readonly say: Say;
  readonly times?: WatchTimes;
  /** Opens the watchers. */
  readonly open?: Watch;
}

/** One folder: scanned soon after a change, and now and then in any case. Never twice at the same time. */
class WatchedFolder {
  private tree: TreeWatch | undefined;
  /** The folder that `tree` watches. */
  private watched: string | undefined;
  private isOutdated = false;
  private quiet: NodeJS.Timeout | undefined;
  private firstChange: number | undefined;
  private readonly timers: readonly NodeJS.Timeout[];
  private readonly times: WatchTimes;
  private working: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private again = false;
  private isClosed = false;
  private saidIncomplete = false;

  constructor(
    private readonly folder: string,
    private readonly parts: WatchParts,
  ) {
    this.times = parts.times ?? TIMES;
    this.work(() => this.renewed());
    // Most of what a system does not tell a watch, such as a share that is mounted again below, is told to a new one.
    const periodic = (): void => {
      this.isOutdated = true;
      this.scan();
    };
    this.timers = [setInterval(periodic, this.times.everyMs), setInterval(() => this.look(), this.times.lookMs)];
  }

  /** Looks whether the folder is still the one that is watched; another one in its place is watched and scanned. */
  look(): void {
    // A share that does not answer holds a look up: more of them would hold up everything that reads files.
    this.looking ??= this.lookOnce().finally(() => (this.looking = undefined));
  }

  /** Waits for a scan that is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.quiet);
    this.timers.forEach((timer) => clearInterval(timer));
    this.again = false;
    await this.tree?.close();
    await this.working;
  }

  private async lookOnce(): Promise<void> {
    await this.working;
    if ((await identityOf(this.folder)) !== this.watched) this.scan();
  }

  private changed(): void {
    if (this.isClosed) return;
    this.firstChange ??= Date.now();
    clearTimeout(this.quiet);
    const left = Math.max(0, this.firstChange + this.times.longestMs - Date.now());
    this.quiet = setTimeout(() => this.scan(), Math.min(this.times.quietMs, left));
  }

  private scan(): void {
    if (this.isClosed) return;
    this.firstChange = undefined;
    if (this.working !== undefined) {
      this.again = true;
      return;
    }
    this.work(async () => {
      await this.renewed();
      await this.parts.rescan(this.folder);
    });
  }

  private work(what: () => Promise<void>): void {
    this.working = what().finally(() => {
      this.working = undefined;
      if (!this.again) return;
      this.again = false;
      this.scan();
    });
  }

  /** Sees to it that what the scan is going to read is watched, so that what changes during the scan is noticed. */
  private async renewed(): Promise<void> {
    const found = await identityOf(this.folder);
    if (!this.isOutdated && found === this.watched) return;
    this.isOutdated = false;
    await this.tree?.close();
    this.tree = undefined;
    this.watched = found;
    if (this.isClosed || found === undefined) return;
    const news = {
      changed: () => this.changed(),
      outdated: () => (this.isOutdated = true),
      incomplete: () => this.tellIncomplete(),
    };
    this.tree = new TreeWatch(this.folder, news, this.parts.open);
    await this.tree.ready;
  }

  private tellIncomplete(): void {
    if (this.saidIncomplete) return;
    this.saidIncomplete = true;
    const minutes = Math.round(this.times.everyMs / 60_000);
    this.parts.say(`Changes in ${this.folder} cannot be watched all; it is scanned every ${minutes} minutes.`);
  }
}

/** Folders that are scanned when something in them changes. */
export class FolderWatch {
  private readonly folders = new Map<string, WatchedFolder>();

  constructor(private readonly parts: WatchParts) {}

  /** Watches a folder; one that is watched already is looked at again. */
  add(folder: string): void {
    const known = this.folders.get(folder);
    if (known === undefined) this.folders.set(folder, new WatchedFolder(folder, this.parts));
    else known.look();
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
