import { EmbedderPaused, EmbedderUnavailable } from '../embedder.errors';

/** Stops asking what failed several times in a row, and tries it once after each pause. */
export class Breaker {
  private failures = 0;
  private openUntil = 0;

  constructor(
    private readonly most: number,
    private readonly pauseMs = 2_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws EmbedderPaused without asking while it is open. Only what is unavailable counts as a failure. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.failures >= this.most) {
      if (this.now() < this.openUntil) throw new EmbedderPaused();
      this.openUntil = this.now() + this.pauseMs;
    }
    try {
      const result = await work();
      this.failures = 0;
      return result;
    } catch (error) {
      if (error instanceof EmbedderUnavailable && (this.failures += 1) >= this.most)
        this.openUntil = this.now() + this.pauseMs;
      throw error;
    }
  }
}
