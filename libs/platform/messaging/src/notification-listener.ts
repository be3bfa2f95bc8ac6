import type { Client } from 'pg';
import { type DatabaseConnection, openClient } from '@acervo/platform-database';
import { CoalescingRunner } from '@acervo/platform-resilience';

/**
 * Triggers a single flight on each notification, and every second in any case: notifications only shorten the wait.
 * Runs do not overlap; triggers during a run cause one more.
 */
export class NotificationListener {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly runner: CoalescingRunner;
  private stopped = false;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly channel: string,
    work: () => Promise<void>,
    private readonly concerns: (payload: string) => boolean = () => true,
  ) {
    this.runner = new CoalescingRunner(work);
  }

  start(): void {
    this.timer = setInterval(() => this.trigger(), 1_000);
    void this.listen();
    this.trigger();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.runner.stop();
    await this.client?.end().catch(() => undefined);
  }

  trigger(): void {
    this.runner.trigger();
  }

  private async listen(): Promise<void> {
    if (this.stopped) return;
    try {
      const client = await openClient(this.connection, (opening) => {
        this.client = opening;
        opening.on('notification', ({ payload = '' }) => this.concerns(payload) && this.trigger());
      });
      client.once('end', () => this.listenLater());
      await client.query(`listen ${this.channel}`).catch(() => client.end());
    } catch {
      this.listenLater();
    }
  }

  private listenLater(): void {
    setTimeout(() => void this.listen(), 1_000).unref();
  }
}
