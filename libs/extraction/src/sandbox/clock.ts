/** The time limit that a reading exceeded: without progress, or for the whole file. */
export type Overdue = 'silence' | 'time';

/**
 * Measures the reading time of a file: without progress, and in total. Pauses during recognition. Keeps its total, so
 * that a restarted file gets no additional time.
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

  /** Starts the clock, or records progress. */
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

  /** Sets the callback for an exceeded limit; replaces the earlier callback. */
  whenOverdue(overdue: (which: Overdue) => void): void {
    this.overdue = overdue;
  }
}
