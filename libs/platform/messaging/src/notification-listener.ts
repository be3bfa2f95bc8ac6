import { CoalescingRunner, Periodic } from '@acervo/platform-resilience';
import type { Notifications } from './notifications';

/**
 * Triggers a single flight on each notification, and every second in any case: notifications only shorten the wait.
 * Runs do not overlap; triggers during a run cause one more.
 */
export class NotificationListener {
  private off: (() => Promise<void>) | undefined;
  private readonly rounds = new Periodic(() => this.trigger(), { firstMs: 0, everyMs: 1_000 });
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
    this.off = this.notifications.on(this.channel, (payload) => this.concerns(payload) && this.trigger());
    this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    await this.runner.stop();
    await this.off?.();
  }

  trigger(): void {
    this.runner.trigger();
  }
}
