import { CoalescingRunner } from '@acervo/platform-resilience';
import type { Notifications } from './notifications';

/** What a round of work left: whether something waits for another process, an engine or a lease. */
export type Left = 'nothing' | 'something';

/** Pause between two rounds while something is left, and after a start. */
const SHORTEST_PAUSE_MS = 1_000;
/** Pause between two rounds after some that left nothing. */
const LONGEST_PAUSE_MS = 8_000;
/** How long after a start the pause is short: longer than a killed process keeps its leases. */
const SETTLED_MS = 30_000;

/**
 * Triggers a single flight on each notification, after each opening of the connection, which may have missed some, and
 * after a pause in any case: notifications only shorten the wait. Half a minute after the start the pause doubles from 1
 * to 8 seconds while rounds leave nothing. Runs do not overlap; triggers during a run cause one more.
 */
export class NotificationListener {
  private off: (() => Promise<void>) | undefined;
  private readonly runner: CoalescingRunner;
  private next: NodeJS.Timeout | undefined;
  private settledAt = 0;
  private pauseMs = SHORTEST_PAUSE_MS;
  private isStopped = false;

  /** @param work answers what it left; it handles its own failures, and left something where it failed */
  constructor(
    private readonly notifications: Pick<Notifications, 'on'>,
    private readonly channel: string,
    private readonly work: () => Promise<Left>,
    private readonly concerns: (payload: string) => boolean = () => true,
  ) {
    this.runner = new CoalescingRunner(() => this.round());
  }

  start(): void {
    this.settledAt = performance.now() + SETTLED_MS;
    const hear = (payload: string): void => void (this.concerns(payload) && this.trigger());
    this.off = this.notifications.on(this.channel, hear, () => this.trigger());
    this.trigger();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.next);
    await this.runner.stop();
    await this.off?.();
  }

  trigger(): void {
    this.pauseMs = SHORTEST_PAUSE_MS;
    this.runner.trigger();
  }

  private async round(): Promise<void> {
    clearTimeout(this.next);
    const left = await this.work();
    if (this.isStopped) return;
    if (left === 'something') this.pauseMs = SHORTEST_PAUSE_MS;
    this.next = setTimeout(() => this.runner.trigger(), this.pauseMs).unref();
    if (performance.now() > this.settledAt) this.pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.pauseMs);
  }
}
