import type { SemaphoreSettings } from './semaphore';

export interface FairSemaphoreSettings extends SemaphoreSettings {
  /** A caller that has waited for so long is refused; without it, callers wait until they are admitted. */
  readonly longestWaitMs?: number;
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
  admit(): void;
  refuse(error: Error): void;
}

/** The permits and waiting callers of one tenant. */
interface Share {
  running: number;
  readonly waiting: Waiting[];
}

const half = (most: number): number => Math.max(1, Math.floor(most / 2));

/**
 * Limits concurrent runs of tenants. A tenant may hold every permit while no other one waits. While others wait, tenants
 * get free permits in turns, and one that holds half of the permits gets none. Where the queue is full, a caller of a
 * tenant with fewer waiting callers takes the place of the last caller of the tenant with the most. Callers without a
 * tenant take turns like one tenant, and may hold every permit.
 */
export class FairSemaphore {
  private free: number;
  private waiting = 0;
  /** In the order of their turns: a tenant that gets a permit is the last one. */
  private readonly shares = new Map<string | null, Share>();

  constructor(private readonly settings: FairSemaphoreSettings) {
    this.free = settings.permits;
  }

  /** @throws the refusal when too many callers wait, or this one waited too long */
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
    const share = this.shares.get(tenant) ?? { running: 0, waiting: [] };
    this.shares.set(tenant, share);
    // A permit is free only while no caller waits.
    if (this.free > 0) this.admit(tenant, share);
    else await this.admitted(tenant, share, gone);
    return this.releaseOf(tenant, share);
  }

  private turnsAway(tenant: string | null): boolean {
    if (this.free > 0 || this.waiting < this.settings.mostWaiting) return false;
    const waiting = this.shares.get(tenant)?.waiting.length ?? 0;
    return (this.longest()?.[1].waiting.length ?? 0) <= waiting + 1;
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

  /** The tenant with the most waiting callers. */
  private longest(): [string | null, Share] | undefined {
    return [...this.shares].reduce<[string | null, Share] | undefined>(
      (most, each) => (each[1].waiting.length > (most?.[1].waiting.length ?? 0) ? each : most),
      undefined,
    );
  }

  /** Resolves when the caller is admitted; it leaves the queue with its refusal, its deadline or its end. */
  private admitted(tenant: string | null, share: Share, gone: AbortSignal | undefined): Promise<void> {
    if (this.waiting >= this.settings.mostWaiting) this.refuseLast();
    const { longestWaitMs, refusal } = this.settings;
    return new Promise<void>((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(late);
        gone?.removeEventListener('abort', leave);
        end();
      };
      const waiting: Waiting = {
        admit: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      const withdraw = (error: () => Error): void => {
        this.remove(tenant, share, share.waiting.indexOf(waiting))?.refuse(error());
      };
      const leave = (): void => withdraw(() => new CallerGone());
      const late = longestWaitMs === undefined ? undefined : setTimeout(() => withdraw(refusal), longestWaitMs);
      gone?.addEventListener('abort', leave);
      share.waiting.push(waiting);
      this.waiting += 1;
    });
  }

  /** Refuses the last caller of the tenant with the most waiting callers. */
  private refuseLast(): void {
    const longest = this.longest();
    if (longest !== undefined) this.remove(...longest, longest[1].waiting.length - 1)?.refuse(this.settings.refusal());
  }

  private remove(tenant: string | null, share: Share, index: number): Waiting | undefined {
    const [waiting] = index < 0 ? [] : share.waiting.splice(index, 1);
    if (waiting !== undefined) this.waiting -= 1;
    this.forgetUnused(tenant, share);
    return waiting;
  }

  private admit(tenant: string | null, share: Share): void {
    share.running += 1;
    this.free -= 1;
    this.shares.delete(tenant);
    this.shares.set(tenant, share);
  }

  /** Gives a free permit to the next tenant that waits: to one within its share, else to any. */
  private admitNext(): void {
    if (this.waiting === 0) return;
    const waiting = [...this.shares].filter(([, share]) => share.waiting.length > 0);
    const isWithin = ([tenant, { running }]: [string | null, Share]): boolean =>
      tenant === null || running < half(this.settings.permits);
    const next = waiting.find(isWithin) ?? waiting[0];
    if (next === undefined) return;
    const [tenant, share] = next;
    this.admit(tenant, share);
    this.remove(tenant, share, 0)?.admit();
  }
}
