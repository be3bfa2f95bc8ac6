/** A ring costs more than a small step; what follows a slow batch must not wait for its end. */
const EVERY_MS = 1_000;

/** Rings for the next step while a batch goes on: now and then, and at its end. */
export class Bell {
  private rungAt = performance.now();
  private isDue = false;

  constructor(private readonly ring: () => Promise<void>) {}

  /** One more is ready for the next step. */
  async done(): Promise<void> {
    this.isDue = true;
    if (performance.now() - this.rungAt >= EVERY_MS) await this.end();
  }

  async end(): Promise<void> {
    if (!this.isDue) return;
    this.isDue = false;
    this.rungAt = performance.now();
    await this.ring();
  }
}
