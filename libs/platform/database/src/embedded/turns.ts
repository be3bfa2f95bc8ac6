/**
 * Interactive work is a request somebody waits for; couriers bring events from one service to the other, in few short
 * statements; background work is everything else.
 */
export type Lane = 'interactive' | 'courier' | 'background';

/**
 * Who may use the one session next: first come, first served within a lane, interactive before couriers before
 * background, but every eighth turn goes to the background when it waits, so that a busy day never stops the work
 * behind it.
 */
export class Turns<Holder> {
  private holder: Holder | undefined;
  private readonly waiting: Record<Lane, { holder: Holder; enter: () => void }[]> = {
    interactive: [],
    courier: [],
    background: [],
  };
  private aheadInARow = 0;

  get current(): Holder | undefined {
    return this.holder;
  }

  /** How many interactive holders wait now. */
  get interactiveWaiting(): number {
    return this.waiting.interactive.length;
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
    const { interactive, courier, background } = this.waiting;
    const ahead = interactive.length > 0 ? interactive : courier;
    const backgroundIsDue = ahead.length === 0 || this.aheadInARow >= 7;
    if (backgroundIsDue && background.length > 0) {
      this.aheadInARow = 0;
      return background.shift();
    }
    this.aheadInARow += 1;
    return ahead.shift();
  }
}
