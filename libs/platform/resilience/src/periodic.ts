export interface PeriodicOptions {
  readonly everyMs: number;
  /** When the first run begins after the start; 0 is at once, absent is after one interval. */
  readonly firstMs?: number;
  /** Gets the error of a run that failed. Absent where the next run tries again and no one has to know. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Runs work at intervals. Runs never overlap: one that is due while another is under way is left out. The timers keep
 * no process alive.
 */
export class Periodic {
  private timers: readonly NodeJS.Timeout[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly work: () => void | Promise<unknown>,
    private readonly options: PeriodicOptions,
  ) {}

  /** Without effect where it has started already. */
  start(): void {
    if (this.timers.length > 0) return;
    const { everyMs, firstMs = everyMs } = this.options;
    const due = (): void => void this.run();
    const timers = [setInterval(due, everyMs)];
    if (firstMs > 0 && firstMs !== everyMs) timers.push(setTimeout(due, firstMs));
    for (const timer of timers) timer.unref();
    this.timers = timers;
    if (firstMs === 0) due();
  }

  /** Begins no further run; resolves when the current one is over. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    await this.running;
  }

  /** Runs at intervals while a task is under way. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.start();
    try {
      return await task();
    } finally {
      await this.stop();
    }
  }

  /** One run now, or the one under way. Never rejects. */
  run(): Promise<void> {
    this.running ??= this.runOnce().finally(() => (this.running = undefined));
    return this.running;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.options.failed?.(error);
    }
  }
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A minute after the start and every hour: an installation that is restarted every hour has a run too. */
export const HOURLY = { firstMs: MINUTE_MS, everyMs: HOUR_MS } as const;
