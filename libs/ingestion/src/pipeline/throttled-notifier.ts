/** A signal costs more than a small step; the step after a slow batch must not wait for its end. */
const EVERY_MS = 1_000;

/** Signals the next step during a batch: at most once a second, and at its end. */
export class ThrottledNotifier {
  private notifiedAt = performance.now();
  private isDue = false;

  constructor(private readonly notify: () => Promise<void>) {}

  /** One more document is ready for the next step. */
  async done(): Promise<void> {
    this.isDue = true;
    if (performance.now() - this.notifiedAt >= EVERY_MS) await this.end();
  }

  async end(): Promise<void> {
    if (!this.isDue) return;
    this.isDue = false;
    this.notifiedAt = performance.now();
    await this.notify();
  }
}
