import { stat } from 'node:fs/promises';
import type { Say } from './intake';
import { TreeWatch, type Watch } from './tree-watch';

export interface WatchTimes {
  /** Quiet that a folder must have had before it is scanned, in milliseconds. */
  readonly quietMs: number;
  /** Longest time from a change to the scan, however busy the folder is. */
  readonly longestMs: number;
  /** Time after which a folder is watched anew where nothing seems to change. */
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

/**
 * One folder: scanned soon after a change, and never twice at the same time. What no watch tells is found by the scans
 * that the service begins by itself.
 */
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
  /** Resolves when the folder is watched and its first scan is over. */
  readonly begun: Promise<void>;
  private looking: Promise<void> | undefined;
  private again = false;
  private hasBegun = false;
  private isClosed = false;
  private saidIncomplete = false;

  constructor(
    private readonly folder: string,
    private readonly parts: WatchParts,
    first: () => Promise<unknown>,
  ) {
    this.times = parts.times ?? TIMES;
    this.begun = this.work(first).finally(() => (this.hasBegun = true));
    // Most of what a system does not tell a watch, such as a share that is mounted again below, is told to a new one.
    this.timers = [
      setInterval(() => this.watchAnew(), this.times.everyMs),
      setInterval(() => this.look(), this.times.lookMs),
    ];
  }

  /** Looks whether the folder is still the one that is watched; another one in its place is watched and scanned. */
  look(): void {
    // A share that does not answer holds a look up: more of them would hold up everything that reads files.
    this.looking ??= this.lookOnce().finally(() => (this.looking = undefined));
  }

  /** Waits for a scan that is under way, but for the first one: it may take long, and whoever began it knows. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.quiet);
    this.timers.forEach((timer) => clearInterval(timer));
    this.again = false;
    await this.tree?.close();
    if (this.hasBegun) await this.working;
  }

  private async lookOnce(): Promise<void> {
    await this.working;
    if ((await identityOf(this.folder)) !== this.watched) this.scan();
  }

  private watchAnew(): void {
    this.isOutdated = true;
    // A scan that is under way is followed by the next time.
    if (this.working !== undefined) return;
    const before = this.watched;
    void this.work(async () => {
      if (this.watched !== before) await this.parts.rescan(this.folder);
    });
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
    void this.work(() => this.parts.rescan(this.folder));
  }

  /** Scans what is watched by then, so that what changes during the scan is noticed. */
  private work(scan: () => Promise<unknown>): Promise<void> {
    const work = async (): Promise<void> => {
      await this.renewed();
      if (!this.isClosed) await scan();
    };
    this.working = work().finally(() => {
      this.working = undefined;
      if (!this.again) return;
      this.again = false;
      this.scan();
    });
    return this.working;
  }

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
    this.parts.say(
      `Changes in ${this.folder} cannot be watched all; the others are found by the scans that come now and then.`,
    );
  }
}

/** Folders that are scanned when something in them changes. */
export class FolderWatch {
  private readonly folders = new Map<string, WatchedFolder>();

  constructor(private readonly parts: WatchParts) {}

  /**
   * Watches a folder, and does its first scan once it is watched: whoever scanned it before may have missed what came
   * meanwhile. One that is watched already is looked at again. @param first never rejects
   */
  async add(folder: string, first: () => Promise<unknown> = () => this.parts.rescan(folder)): Promise<void> {
    const known = this.folders.get(folder);
    if (known === undefined) {
      const watched = new WatchedFolder(folder, this.parts, first);
      this.folders.set(folder, watched);
      return watched.begun;
    }
    await first();
    known.look();
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
