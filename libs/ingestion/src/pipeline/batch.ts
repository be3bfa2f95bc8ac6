import type { Lease } from '@acervo/platform-queue';

export interface BatchWork {
  readonly leases: readonly Lease[];
  /** Pieces that are worked at the same time. */
  readonly atOnce: number;
  one(lease: Lease): Promise<void>;
  /** Takes another piece, while slow ones would leave the others who work here without any. */
  another(): Promise<Lease | undefined>;
  /** From when on a piece counts as slow. */
  readonly slowMs?: number;
}

const SLOW_MS = 2_000;

/**
 * Works a batch, several pieces at a time. It is over when all pieces are; while only slow ones are left it takes more,
 * so that one piece of a minute holds up nobody behind it.
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
      if (this.isHeldUp()) lease = await this.work.another();
      if (lease === undefined) await this.wait();
      lease ??= this.waiting.shift();
    }
    if (lease !== undefined) this.startedAt.set(lease, performance.now());
    return lease;
  }

  private isHeldUp(): boolean {
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
