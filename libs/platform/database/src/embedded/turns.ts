/**
 * Interactive work is a request somebody waits for; couriers bring events from one service to the other, in few short
 * statements; background work is everything else.
 */
export type Lane = 'interactive' | 'courier' | 'background';
const ORDER: readonly Lane[] = ['interactive', 'courier', 'background'];

/**
 * Who may use the one session next: first come, first served within a lane, interactive before couriers before
 * background. Every eighth turn goes to those that are behind, by turns when both wait, so that a busy day never stops
 * the work behind it.
 */
export class Turns<Holder> {
  private holder: Holder | undefined;
  private readonly waiting: Record<Lane, { holder: Holder; enter: () => void }[]> = {
    interactive: [],
    courier: [],
    background: [],
  };
  private aheadInARow = 0;
  private lastBehind: Lane = 'courier';

  get current(): Holder | undefined {
    return this.holder;
  }

  async take(holder: Holder, lane: Lane): Promise<void> {
    if (this.holder === holder) return;
    if (this.holder === undefined) {
      this.holder = holder;
      return;
    }
    await new Promise<void>((enter) => this.waiting[lane].push({ holder, enter }));
  }

  /** Gives the session on; nothing happens for one who does not hold it. */
  pass(holder: Holder): void {
    if (this.holder !== holder) return;
    const next = this.next();
    this.holder = next?.holder;
    next?.enter();
  }

  private next(): { holder: Holder; enter: () => void } | undefined {
    const ahead = ORDER.find((lane) => this.waiting[lane].length > 0);
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

  /** The lane behind that one whose turn is due: another one than the last time if it can be. */
  private behind(ahead: Lane): Lane | undefined {
    const waiting = ORDER.slice(ORDER.indexOf(ahead) + 1).filter((lane) => this.waiting[lane].length > 0);
    return waiting.find((lane) => lane !== this.lastBehind) ?? waiting[0];
  }
}
