import type { TreeChange } from './tree-watch';

export interface ChangeTimes {
  /** Quiet time before the scan of a small change, in milliseconds. */
  readonly quietMs: number;
  /** Quiet time of a file that grows, and of many changes, in milliseconds. */
  readonly settledMs: number;
  /** Longest time from a change to its scan in a busy folder, in milliseconds. */
  readonly longestMs: number;
  /** Longest time that a file may grow until it is scanned, in milliseconds. */
  readonly longestGrowthMs: number;
}

/** More changed paths than these are a copy of a folder, and no small change. */
const MANY = 50;
/** Paths whose last events are remembered; older ones count as quiet. */
const MOST_REMEMBERED = 10_000;

/** A time during which something changes, in milliseconds of one clock. */
interface Period {
  readonly first: number;
  readonly last: number;
}

/**
 * Changes that wait for their scan. A small change waits for a short quiet time; a file that is still being written,
 * and a copy of many files, for a longer one. A growing file delays no other change.
 */
export class PendingChanges {
  /** Paths with recent events. */
  private readonly recent = new Map<string, Period>();
  private readonly small = new Set<string>();
  private smallPeriod: Period | undefined;
  private readonly growing = new Map<string, Period>();

  constructor(private readonly times: ChangeTimes) {}

  add({ path, isWritten }: TreeChange, now: number): void {
    const period = this.periodOf(path, now);
    if (isWritten && now - period.first >= this.times.quietMs) return this.addGrowing(path, period);
    this.growing.delete(path);
    this.small.add(path);
    this.smallPeriod = { first: this.smallPeriod?.first ?? now, last: now };
  }

  /** When a scan is due; undefined without a change. */
  dueAt(): number | undefined {
    const { quietMs, settledMs, longestMs } = this.times;
    const dues = [...this.growing.values()].map((period) => this.grownAt(period));
    const { smallPeriod: small } = this;
    if (small !== undefined) {
      const quiet = this.small.size > MANY ? settledMs : quietMs;
      dues.push(Math.min(small.last + quiet, small.first + longestMs));
    }
    return dues.length === 0 ? undefined : dues.reduce((least, due) => Math.min(least, due));
  }

  /** Forgets the changes that a scan sees now. Files that still grow wait for another scan. */
  take(now: number): void {
    this.small.clear();
    this.smallPeriod = undefined;
    for (const [path, period] of this.growing) {
      if (this.grownAt(period) > now) continue;
      this.growing.delete(path);
      this.recent.delete(path);
    }
  }

  clear(): void {
    this.take(Infinity);
  }

  private grownAt({ first, last }: Period): number {
    return Math.min(last + this.times.settledMs, first + this.times.longestGrowthMs);
  }

  /** Its first events looked like a small change. */
  private addGrowing(path: string, { first, last }: Period): void {
    this.growing.set(path, { first: this.growing.get(path)?.first ?? first, last });
    this.small.delete(path);
    if (this.small.size === 0) this.smallPeriod = undefined;
  }

  /** Events of one path that are close to each other. */
  private periodOf(path: string, now: number): Period {
    const before = this.recent.get(path);
    const continues = before !== undefined && now - before.last < this.times.settledMs;
    const period = { first: continues ? before.first : now, last: now };
    this.recent.delete(path);
    this.recent.set(path, period);
    for (const oldest of this.recent.keys()) {
      if (this.recent.size <= MOST_REMEMBERED) break;
      this.recent.delete(oldest);
    }
    return period;
  }
}
