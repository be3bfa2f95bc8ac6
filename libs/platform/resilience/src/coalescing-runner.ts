/** Runs of one function that never overlap; any number of calls during a run cause one more. */
export class CoalescingRunner {
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  /** @param work handles its own failures */
  constructor(private readonly work: () => Promise<void>) {}

  trigger(): void {
    if (this.stopped) return;
    if (this.running !== undefined) {
      this.again = true;
      return;
    }
    this.running = this.work().finally(() => {
      this.running = undefined;
      if (this.again) {
        this.again = false;
        this.trigger();
      }
    });
  }

  /** Starts no further run; resolves when the current one is over. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }
}
