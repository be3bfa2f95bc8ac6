const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Runs work a minute after the start and every hour: an installation that is restarted every hour has a run too. */
export class Hourly {
  private timers: readonly NodeJS.Timeout[] = [];

  /** @param failed gets the error of a run that failed; the next run follows in an hour */
  start(work: () => Promise<void>, failed: (error: unknown) => void): void {
    const run = (): void => void work().catch(failed);
    this.timers = [setTimeout(run, FIRST_MS), setInterval(run, HOUR_MS)];
    for (const timer of this.timers) timer.unref();
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}
