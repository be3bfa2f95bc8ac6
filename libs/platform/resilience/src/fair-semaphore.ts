import type { SemaphoreSettings } from './semaphore';

export interface FairSemaphoreSettings extends SemaphoreSettings {
  /** Longest wait for a permit once callers of the tenant have had to wait for longer than `crowdedAfterMs`. */
  readonly crowdedWaitMs?: number;
  /** A burst of callers waits in peace for this long. */
  readonly crowdedAfterMs?: number;
}

interface Waiting {
  readonly since: number;
  admit(): void;
  refuse(): void;
}

/** The permits and waiting callers of one tenant. */
interface Share {
  running: number;
  readonly waiting: Waiting[];
  /** Since when its callers have had to wait. */
  crowdedSince: number;
}

const half = (most: number): number => Math.max(1, Math.floor(most / 2));

/**
 * Limits concurrent runs. A tenant holds at most half of the permits and half of the places in the queue. Tenants with
 * waiting callers get free permits in turns. Callers without a tenant are bound by the whole alone.
 */
export class FairSemaphore {
  private free: number;
  private waiting = 0;
  private readonly shares = new Map<string | null, Share>();

  constructor(private readonly settings: FairSemaphoreSettings) {
    this.free = settings.permits;
  }

  /** @throws the refusal when too many callers wait, or this one waited too long in a standing queue */
  async run<T>(tenant: string | null, work: () => Promise<T>): Promise<T> {
    const share = this.shareOf(tenant);
    try {
      await this.enter(tenant, share);
      return await this.releasing(share, work);
    } finally {
      if (share.running === 0 && share.waiting.length === 0) this.shares.delete(tenant);
    }
  }

  /** Callers that wait for a permit. */
  get queued(): number {
    return this.waiting;
  }

  /** Whether no caller holds a permit or waits. */
  get idle(): boolean {
    return this.shares.size === 0;
  }

  private async releasing<T>(share: Share, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      share.running -= 1;
      this.free += 1;
      this.admitNext();
    }
  }

  private shareOf(tenant: string | null): Share {
    const share = this.shares.get(tenant) ?? { running: 0, waiting: [], crowdedSince: Infinity };
    this.shares.set(tenant, share);
    return share;
  }

  private hasRoom(tenant: string | null, { running }: Share): boolean {
    return tenant === null || running < half(this.settings.permits);
  }

  private async enter(tenant: string | null, share: Share): Promise<void> {
    if (this.free > 0 && this.hasRoom(tenant, share)) {
      share.crowdedSince = Infinity;
      return this.admit(share);
    }
    const { mostWaiting, refusal } = this.settings;
    const isFull = this.waiting >= mostWaiting || (tenant !== null && share.waiting.length >= half(mostWaiting));
    if (isFull) throw refusal();
    const since = performance.now();
    share.crowdedSince = Math.min(share.crowdedSince, since);
    this.waiting += 1;
    await new Promise<void>((resolve, reject) =>
      share.waiting.push({ since, admit: resolve, refuse: () => reject(refusal()) }),
    );
  }

  private admit(share: Share): void {
    share.running += 1;
    this.free -= 1;
  }

  /** Gives a free permit to the next tenant that may have it; that tenant is the last one next time. */
  private admitNext(): void {
    for (const [tenant, share] of this.shares) {
      this.refuseLate(share);
      if (this.free === 0 || share.waiting.length === 0 || !this.hasRoom(tenant, share)) continue;
      this.admit(share);
      this.leave(share)?.admit();
      this.shares.delete(tenant);
      this.shares.set(tenant, share);
      return;
    }
  }

  private refuseLate(share: Share): void {
    const { crowdedWaitMs = Infinity, crowdedAfterMs = 0 } = this.settings;
    const now = performance.now();
    if (now - share.crowdedSince < crowdedAfterMs) return;
    while (now - (share.waiting[0]?.since ?? now) > crowdedWaitMs) this.leave(share)?.refuse();
  }

  private leave(share: Share): Waiting | undefined {
    this.waiting -= 1;
    return share.waiting.shift();
  }
}
