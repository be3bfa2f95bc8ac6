import type { SemaphoreSettings } from './semaphore';

export interface FairSemaphoreSettings extends SemaphoreSettings {
  /**
   * Longest wait for a permit once callers of the tenant have had to wait for longer than `crowdedAfterMs`. A longer wait
   * means overload.
   */
  readonly crowdedWaitMs?: number;
  /** A burst of callers waits in peace for this long. Overload lasts for this long, and again while it goes on. */
  readonly crowdedAfterMs?: number;
}

/** Gives a permit back. */
export type Release = () => void;

/** The caller left before it got a permit. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
  constructor() {
    super('The caller left while it waited; nothing was done.');
  }
}

interface Waiting {
  readonly since: number;
  admit(): void;
  refuse(): void;
}

/** A time in which few callers of a tenant may wait, so that those who are admitted waited for a short time. */
interface Overload {
  readonly until: number;
  refused: number;
  admitted: number;
}

/** The permits and waiting callers of one tenant. */
interface Share {
  running: number;
  readonly waiting: Waiting[];
  /** Since when its callers have had to wait. */
  crowdedSince: number;
  overload: Overload | undefined;
}

const half = (most: number): number => Math.max(1, Math.floor(most / 2));

/**
 * Limits concurrent runs. A tenant holds at most half of the permits and half of the places in the queue. Tenants with
 * waiting callers get free permits in turns. Callers without a tenant are bound by the whole alone. Of an overloaded
 * tenant, half as many callers wait as it may have permits. Overload goes on while more callers are refused than
 * admitted.
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
    const release = await this.enter(tenant);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * A permit, as the function that gives it back; further calls of that function do nothing.
   * @param gone ends the wait of a caller that no longer needs the permit
   * @throws the refusal as `run` does; CallerGone
   */
  async enter(tenant: string | null, gone?: AbortSignal): Promise<Release> {
    if (gone?.aborted === true) throw new CallerGone();
    if (this.turnsAway(tenant)) throw this.settings.refusal();
    const share = this.shareOf(tenant);
    try {
      await this.admitted(tenant, share, gone);
    } catch (error) {
      this.forgetUnused(tenant, share);
      throw error;
    }
    return this.releaseOf(tenant, share);
  }

  /** Whether a caller of the tenant is refused now: `run` would throw the refusal. The caller counts as refused. */
  turnsAway(tenant: string | null): boolean {
    const share = this.shares.get(tenant);
    if (this.free > 0 && (share === undefined || this.hasRoom(tenant, share))) return false;
    const isFull = this.waiting >= this.settings.mostWaiting;
    if (!isFull && (share?.waiting.length ?? 0) < this.mostWaiting(tenant, share)) return false;
    if (share?.overload !== undefined) share.overload.refused += 1;
    return true;
  }

  /** Callers that wait for a permit. */
  get queued(): number {
    return this.waiting;
  }

  /** Permits in use. */
  get inUse(): number {
    return this.settings.permits - this.free;
  }

  /** Whether no caller holds a permit or waits. */
  get idle(): boolean {
    return this.shares.size === 0;
  }

  private releaseOf(tenant: string | null, share: Share): Release {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      share.running -= 1;
      this.free += 1;
      this.admitNext();
      this.forgetUnused(tenant, share);
    };
  }

  private forgetUnused(tenant: string | null, { running, waiting }: Share): void {
    if (running === 0 && waiting.length === 0) this.shares.delete(tenant);
  }

  private shareOf(tenant: string | null): Share {
    const none: Share = { running: 0, waiting: [], crowdedSince: Infinity, overload: undefined };
    const share = this.shares.get(tenant) ?? none;
    this.shares.set(tenant, share);
    return share;
  }

  private hasRoom(tenant: string | null, { running }: Share): boolean {
    return tenant === null || running < half(this.settings.permits);
  }

  /** Callers of a tenant that may wait at a time. */
  private mostWaiting(tenant: string | null, share: Share | undefined): number {
    const { permits, mostWaiting } = this.settings;
    if (share?.overload !== undefined) return Math.min(half(half(permits)), mostWaiting);
    return tenant === null ? mostWaiting : half(mostWaiting);
  }

  private async admitted(tenant: string | null, share: Share, gone: AbortSignal | undefined): Promise<void> {
    if (this.free > 0 && this.hasRoom(tenant, share)) {
      share.crowdedSince = Infinity;
      return this.admit(share);
    }
    const since = performance.now();
    share.crowdedSince = Math.min(share.crowdedSince, since);
    this.waiting += 1;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        if (this.withdraw(share, waiting)) reject(new CallerGone());
      };
      const stay = (): void => gone?.removeEventListener('abort', leave);
      const waiting: Waiting = {
        since,
        admit: () => (stay(), resolve()),
        refuse: () => (stay(), reject(this.settings.refusal())),
      };
      gone?.addEventListener('abort', leave, { once: true });
      share.waiting.push(waiting);
    });
  }

  private withdraw(share: Share, waiting: Waiting): boolean {
    const place = share.waiting.indexOf(waiting);
    if (place < 0) return false;
    share.waiting.splice(place, 1);
    this.waiting -= 1;
    return true;
  }

  private admit(share: Share): void {
    share.running += 1;
    this.free -= 1;
    if (share.overload !== undefined) share.overload.admitted += 1;
  }

  /** Gives a free permit to the next tenant that may have it; that tenant is the last one next time. */
  private admitNext(): void {
    for (const [tenant, share] of this.shares) {
      this.refuseLate(tenant, share);
      if (this.free === 0 || share.waiting.length === 0 || !this.hasRoom(tenant, share)) continue;
      this.admit(share);
      this.leave(share)?.admit();
      this.shares.delete(tenant);
      this.shares.set(tenant, share);
      return;
    }
  }

  /** Refuses the callers that would wait too long, where the tenant is overloaded. */
  private refuseLate(tenant: string | null, share: Share): void {
    share.overload = this.overloadOf(share);
    if (share.overload === undefined) return;
    const most = this.mostWaiting(tenant, share);
    while (share.waiting.length > most) this.leave(share)?.refuse();
  }

  private overloadOf({ waiting, crowdedSince, overload }: Share): Overload | undefined {
    const { crowdedWaitMs = Infinity, crowdedAfterMs = 0 } = this.settings;
    const now = performance.now();
    if (overload !== undefined && now < overload.until) return overload;
    const goesOn = overload !== undefined && overload.refused > overload.admitted;
    const hasStood = now - crowdedSince >= crowdedAfterMs;
    const isLate = now - (waiting[0]?.since ?? now) > crowdedWaitMs;
    return goesOn || (hasStood && isLate) ? { until: now + crowdedAfterMs, refused: 0, admitted: 0 } : undefined;
  }

  private leave(share: Share): Waiting | undefined {
    this.waiting -= 1;
    return share.waiting.shift();
  }
}
