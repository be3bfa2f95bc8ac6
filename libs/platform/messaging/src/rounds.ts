/** Rounds of one piece of work that do not overlap: asked for during one, there is one more after it, however often. */
export class Rounds {
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  /** @param work sees to its own failures */
  constructor(private readonly work: () => Promise<void>) {}

  next(): void {
    if (this.stopped) return;
    if (this.running !== undefined) {
      this.again = true;
      return;
    }
    this.running = this.work().finally(() => {
      this.running = undefined;
      if (this.again) {
        this.again = false;
        this.next();
      }
    });
  }

  /** Begins no more; resolves when the one under way is over. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }
}
