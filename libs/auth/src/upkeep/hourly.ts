const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Runs work a minute after the start and every hour: an installation that is restarted every hour has a run too. */
export class Hourly {
  private timers: readonly NodeJS.Timeout[] = [];

  start(work: () => void): void {
    this.timers = [setTimeout(work, FIRST_MS), setInterval(work, HOUR_MS)];
    for (const timer of this.timers) timer.unref();
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }
}
