import { EmbedderUnavailable } from '../embedder.errors';

/** Lets a few through at a time and a bounded number wait, first come first served. */
export class Lane {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(
    width: number,
    private readonly mostWaiting: number,
  ) {
    this.free = width;
  }

  /** @throws EmbedderUnavailable at once when too many wait already: the caller slows down rather than piling up. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }

  private async enter(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    if (this.waiting.length >= this.mostWaiting) throw new EmbedderUnavailable('too many texts wait for it');
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
