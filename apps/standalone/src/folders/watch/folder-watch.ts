import { Periodic } from '@acervo/platform-resilience';
import type { Print } from '../../kernel/print';
import type { FolderViews } from './folder-views';
import { type ChangeTimes, PendingChanges } from './pending-changes';
import type { TreeChange } from './tree-watch';

export interface WatchTimes extends ChangeTimes {
  /** Interval at which a watch is renewed without any sign of change, in milliseconds. */
  readonly everyMs: number;
  /** Interval of the check that the path still leads to the watched folder, in milliseconds. */
  readonly lookMs: number;
}

const TIMES: WatchTimes = {
  quietMs: 300,
  settledMs: 2_000,
  longestMs: 30_000,
  longestGrowthMs: 10 * 60_000,
  everyMs: 15 * 60_000,
  lookMs: 30_000,
};

export interface FolderWatchDependencies {
  /** Scans one folder. It reports its own errors and never rejects. */
  rescan(folder: string): Promise<void>;
  readonly print: Print;
  readonly times?: WatchTimes;
  readonly views: FolderViews;
}

/**
 * One watched folder. A scan follows soon after each change, and scans never overlap. The scheduled rescans of the
 * ingestion service find changes that the watch misses.
 */
class WatchedFolder {
  /** Identity of the watched folder. */
  private watched: string | undefined;
  private isOutdated = false;
  private quiet: NodeJS.Timeout | undefined;
  private readonly changes: PendingChanges;
  private readonly looks: Periodic;
  private readonly renewals: Periodic;
  private readonly times: WatchTimes;
  private working: Promise<void> | undefined;
  /** Resolves when the folder is watched and its first scan is over. */
  readonly begun: Promise<void>;
  private again = false;
  private hasBegun = false;
  private isClosed = false;
  private warnedIncomplete = false;

  constructor(
    private readonly folder: string,
    private readonly dependencies: FolderWatchDependencies,
    first: () => Promise<unknown>,
  ) {
    this.times = dependencies.times ?? TIMES;
    this.changes = new PendingChanges(this.times);
    this.begun = this.work(first).finally(() => (this.hasBegun = true));
    // Some changes never reach an existing watch, such as a share that is mounted again below. A new watch sees most of
    // them.
    this.renewals = new Periodic(() => this.restartWatch(), { everyMs: this.times.everyMs });
    this.renewals.start();
    // A check waits for a share that does not answer; one is enough.
    this.looks = new Periodic(() => this.lookOnce(), { everyMs: this.times.lookMs });
    this.looks.start();
  }

  /** Checks the identity of the folder. A replaced folder, or one whose watch is lost, is watched again and scanned. */
  look(): void {
    void this.looks.run();
  }

  /** Waits for the current scan, but not for the first one: it may take long, and its caller awaits it. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.quiet);
    // A check may wait for a share that does not answer.
    void this.looks.stop();
    void this.renewals.stop();
    this.again = false;
    await this.dependencies.views.remove(this.folder);
    if (this.hasBegun) await this.working;
  }

  private async lookOnce(): Promise<void> {
    await this.working;
    if ((await this.identity()) !== this.watched || this.isOutdated) this.scan();
  }

  private restartWatch(): void {
    this.isOutdated = true;
    // During a scan, the next renewal replaces the watch.
    if (this.working !== undefined) return;
    const before = this.watched;
    void this.work(async () => {
      if (this.watched !== before) await this.dependencies.rescan(this.folder);
    });
  }

  private changed(change: TreeChange): void {
    if (this.isClosed) return;
    this.changes.add(change, performance.now());
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.quiet);
    const due = this.changes.dueAt();
    if (due !== undefined) this.quiet = setTimeout(() => this.scanIfDue(), Math.max(0, due - performance.now()));
  }

  /** A timer may fire a moment early. */
  private scanIfDue(): void {
    if ((this.changes.dueAt() ?? Infinity) > performance.now()) this.schedule();
    else this.scan();
  }

  private scan(): void {
    if (this.isClosed) return;
    this.changes.take(performance.now());
    this.schedule();
    if (this.working !== undefined) {
      this.again = true;
      return;
    }
    void this.work(() => this.dependencies.rescan(this.folder));
  }

  /** Starts the watch before the scan, so that a change during the scan causes another one. */
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
    const found = await this.identity();
    if (this.isClosed || (!this.isOutdated && found === this.watched)) return;
    this.isOutdated = false;
    this.watched = found;
    const view = this.dependencies.views.of(this.folder);
    if (found === undefined) return view.unwatch();
    await view.watch({
      changed: (change) => this.changed(change),
      outdated: () => (this.isOutdated = true),
      incomplete: () => this.warnIncomplete(),
    });
  }

  private async identity(): Promise<string | undefined> {
    return (await this.dependencies.views.of(this.folder).look()).identity;
  }

  private warnIncomplete(): void {
    if (this.warnedIncomplete) return;
    this.warnedIncomplete = true;
    this.dependencies.print(
      `Only a part of ${this.folder} can be watched; regular scans find the changes in the rest.`,
    );
  }
}

/** Scans folders when their content changes. */
export class FolderWatch {
  private readonly folders = new Map<string, WatchedFolder>();

  constructor(private readonly dependencies: FolderWatchDependencies) {}

  /**
   * Watches a folder, then runs its first scan: an earlier scan may have missed changes. A folder that is already
   * watched is scanned and checked again.
   * @param first never rejects
   */
  async add(folder: string, first: () => Promise<unknown> = () => this.dependencies.rescan(folder)): Promise<void> {
    const present = this.folders.get(folder);
    if (present === undefined) {
      const watched = new WatchedFolder(folder, this.dependencies, first);
      this.folders.set(folder, watched);
      return watched.begun;
    }
    await first();
    present.look();
  }

  /** Stops watching a folder, after its current scan. */
  async remove(folder: string): Promise<void> {
    const watched = this.folders.get(folder);
    this.folders.delete(folder);
    await watched?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.folders.values()].map((folder) => folder.close()));
  }
}
