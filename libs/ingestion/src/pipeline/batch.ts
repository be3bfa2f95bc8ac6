import type { Lease } from '@acervo/platform-queue';

export interface BatchWork {
  readonly leases: readonly Lease[];
  /** Pieces that run concurrently. */
  readonly atOnce: number;
  one(lease: Lease): Promise<void>;
  /** Leases another piece; called while none waits and the running ones are slow. */
  another(): Promise<Lease | undefined>;
  /** A piece that takes longer counts as slow. */
  readonly slowMs?: number;
}

const SLOW_MS = 2_000;

/**
 * Works a batch, several pieces concurrently. It ends when all pieces have ended. While only slow pieces remain it
 * leases more, so that a piece of a minute delays no other work.
 */
export class Batch {
  private readonly waiting: Lease[];
  private readonly startedAt = new Map<Lease, number>();
  private readonly slowMs: number;
  private idle: (() => void)[] = [];

  constructor(private readonly work: BatchWork) {
    this.waiting = [...work.leases];
    this.slowMs = work.slowMs ?? SLOW_MS;
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.work.atOnce }, () => this.worker()));
  }

  private async worker(): Promise<void> {
    for (let lease = await this.next(); lease !== undefined; lease = await this.next())
      try {
        await this.work.one(lease);
      } finally {
        this.startedAt.delete(lease);
        for (const wake of this.idle.splice(0)) wake();
      }
  }

  private async next(): Promise<Lease | undefined> {
    let lease = this.waiting.shift();
    while (lease === undefined && this.startedAt.size > 0) {
      if (this.isSlow()) lease = await this.work.another();
      if (lease === undefined) await this.wait();
      lease ??= this.waiting.shift();
    }
    if (lease !== undefined) this.startedAt.set(lease, performance.now());
    return lease;
  }

  private isSlow(): boolean {
    const now = performance.now();
    return [...this.startedAt.values()].some((at) => now - at >= this.slowMs);
  }

  /** Until the next piece is over, or it is time to look again. */
  private wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.slowMs / 2);
      this.idle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
