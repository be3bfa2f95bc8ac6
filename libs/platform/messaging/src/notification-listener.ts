import { CoalescingRunner } from '@acervo/platform-resilience';
import type { Notifications } from './notifications';

/**
 * Triggers a single flight on each notification, and every second in any case: notifications only shorten the wait.
 * Runs do not overlap; triggers during a run cause one more.
 */
export class NotificationListener {
  private off: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly runner: CoalescingRunner;

  constructor(
    private readonly notifications: Notifications,
    private readonly channel: string,
    work: () => Promise<void>,
    private readonly concerns: (payload: string) => boolean = () => true,
  ) {
    this.runner = new CoalescingRunner(work);
  }

  start(): void {
    this.timer = setInterval(() => this.trigger(), 1_000);
    this.off = this.notifications.on(this.channel, (payload) => this.concerns(payload) && this.trigger());
    this.trigger();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.runner.stop();
    await this.off?.();
  }

  trigger(): void {
    this.runner.trigger();
  }
}
