import type { Lease } from '@acervo/platform-queue';

export interface BatchWork {
  readonly leases: readonly Lease[];
  /** Pieces that run concurrently. */
  readonly atOnce: number;
  one(lease: Lease): Promise<void>;
  /** Leases more pieces; called while none waits and the running ones are slow. */
  another(): Promise<readonly Lease[] | undefined>;
  /** Whether work of others waits for the slot of this batch. */
  othersWait(): Promise<boolean>;
  /** Gives back pieces that have not begun. */
  release(leases: readonly Lease[]): Promise<void>;
  /** Aborted when the process ends: no piece begins then. */
  readonly stopping: AbortSignal;
  /** A piece that takes longer counts as slow, and a batch that takes longer gives up its slot to others. */
  readonly slowMs?: number;
}

const SLOW_MS = 2_000;

/**
 * Works a batch, several pieces concurrently. It ends when all pieces have ended. While only slow pieces remain it
 * leases more, so that a piece of a minute delays no other work of its group. While other groups wait it leases none,
 * and a batch that has taken long begins no piece either: they wait for the running pieces only.
 */
export class WorkBatch {
  private readonly waiting: Lease[];
  private readonly startedAt = new Map<Lease, number>();
  private readonly slowMs: number;
  private readonly beganAt = performance.now();
  private isYielded = false;
  private asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  private refilling: Promise<void> | undefined;
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
    await this.yieldToOthers();
    let lease = this.waiting.shift();
    while (lease === undefined && !this.isOver && this.startedAt.size > 0) {
      if (this.isSlow() && !(await this.othersWait())) await this.refill();
      lease = this.waiting.shift();
      if (lease === undefined) await this.wait();
      lease ??= this.waiting.shift();
    }
    if (lease !== undefined) this.startedAt.set(lease, performance.now());
    return lease;
  }

  /** Leases more pieces, once for all that wait for one. */
  private refill(): Promise<void> {
    this.refilling ??= this.work
      .another()
      .then((leases = []) => void this.waiting.push(...leases))
      .finally(() => (this.refilling = undefined));
    return this.refilling;
  }

  /** Whether no further piece begins. */
  private get isOver(): boolean {
    return this.isYielded || this.work.stopping.aborted;
  }

  /**
   * Once the batch has taken long, releases the pieces that have not begun as soon as others wait. At the end of the
   * process it does so at once.
   */
  private async yieldToOthers(): Promise<void> {
    const { stopping } = this.work;
    const mayGoOn = performance.now() - this.beganAt < this.slowMs || !(await this.othersWait());
    if (mayGoOn && !stopping.aborted) return;
    this.isYielded = true;
    await this.work.release(this.waiting.splice(0));
  }

  /** Asked at most twice in the time of a slow piece. */
  private othersWait(): Promise<boolean> {
    const now = performance.now();
    if (this.asked === undefined || now - this.asked.at >= this.slowMs / 2)
      this.asked = { at: now, answer: this.work.othersWait() };
    return this.asked.answer;
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
