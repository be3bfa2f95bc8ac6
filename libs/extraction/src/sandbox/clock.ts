/** Which time of a reading has run out: the one without progress, or the one of the whole file. */
export type Overdue = 'silence' | 'time';

/**
 * Measures how long a file is being read: without progress, and in all. Stands still while something else is waited
 * for. What it has measured stays with it, so that a file which is begun again gets no second time of its own.
 */
export class Clock {
  private spent = 0;
  private since: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private overdue: (which: Overdue) => void = () => undefined;

  constructor(
    private readonly silenceMs: number,
    private readonly wholeMs: number,
  ) {}

  /** Starts to run, or says that there was progress. */
  progress(): void {
    this.pause();
    this.since = performance.now();
    const left = this.wholeMs - this.spent;
    const which: Overdue = left < this.silenceMs ? 'time' : 'silence';
    this.timer = setTimeout(() => this.overdue(which), Math.max(0, Math.min(left, this.silenceMs)));
  }

  pause(): void {
    clearTimeout(this.timer);
    if (this.since !== undefined) this.spent += performance.now() - this.since;
    this.since = undefined;
  }

  /** Tells whoever can do something about it; replaces who was told before. */
  whenOverdue(overdue: (which: Overdue) => void): void {
    this.overdue = overdue;
  }
}
