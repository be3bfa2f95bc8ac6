export interface SemaphoreSettings {
  /** Concurrent runs. */
  readonly permits: number;
  /** Callers that may wait for a permit. */
  readonly mostWaiting: number;
  /** Error for a caller beyond the limit. */
  readonly refusal: () => Error;
}

/** Limits concurrent runs, first come first served, with a bounded number of waiting callers. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly settings: SemaphoreSettings) {
    this.free = settings.permits;
  }

  /** Callers that wait for a permit. */
  get queued(): number {
    return this.waiting.length;
  }

  /** @throws the refusal at once when too many callers wait: the caller slows down instead of queueing */
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
    const { mostWaiting, refusal } = this.settings;
    if (this.waiting.length >= mostWaiting) throw refusal();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}
