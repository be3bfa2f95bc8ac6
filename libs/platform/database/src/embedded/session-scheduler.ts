import type { ConnectionPriority } from '../connection';

const ORDER: readonly ConnectionPriority[] = ['interactive', 'courier', 'background'];

/**
 * Decides which connection uses the one session next: first come, first served within a priority, interactive before
 * courier before background. Every eighth turn goes to a lower priority, alternating when both wait, so that a busy day
 * never stops background work.
 */
export class SessionScheduler<Holder> {
  private holder: Holder | undefined;
  private readonly waiting: Record<ConnectionPriority, { holder: Holder; enter: () => void }[]> = {
    interactive: [],
    courier: [],
    background: [],
  };
  private aheadInARow = 0;
  private lastBehind: ConnectionPriority = 'courier';

  get current(): Holder | undefined {
    return this.holder;
  }

  async acquire(holder: Holder, priority: ConnectionPriority): Promise<void> {
    if (this.holder === holder) return;
    if (this.holder === undefined) {
      this.holder = holder;
      return;
    }
    await new Promise<void>((enter) => this.waiting[priority].push({ holder, enter }));
  }

  /** Passes the session to the next connection; ignored unless `holder` owns it. */
  release(holder: Holder): void {
    if (this.holder !== holder) return;
    const next = this.next();
    this.holder = next?.holder;
    next?.enter();
  }

  private next(): { holder: Holder; enter: () => void } | undefined {
    const ahead = ORDER.find((priority) => this.waiting[priority].length > 0);
    if (ahead === undefined) return undefined;
    const behind = this.aheadInARow < 7 ? undefined : this.behind(ahead);
    if (behind === undefined) {
      this.aheadInARow = ahead === 'background' ? 0 : this.aheadInARow + 1;
      return this.waiting[ahead].shift();
    }
    this.aheadInARow = 0;
    this.lastBehind = behind;
    return this.waiting[behind].shift();
  }

  /** The lower priority that is due: not the last one, if possible. */
  private behind(ahead: ConnectionPriority): ConnectionPriority | undefined {
    const waiting = ORDER.slice(ORDER.indexOf(ahead) + 1).filter((priority) => this.waiting[priority].length > 0);
    return waiting.find((priority) => priority !== this.lastBehind) ?? waiting[0];
  }
}
