import { Client } from 'pg';
import { type DatabaseConnection, poolConfig } from '@acervo/platform-database';

/**
 * Wakes a loop when a notification arrives, and every second in any case: notifications only shorten the wait, nothing
 * rests on them. Loops do not overlap; a wake during one means one more after it.
 */
export class Waker {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly channel: string,
    private readonly work: () => Promise<void>,
    private readonly concerns: (payload: string) => boolean = () => true,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.wake(), 1_000);
    void this.listen();
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
    await this.client?.end().catch(() => undefined);
  }

  wake(): void {
    if (this.stopped) return;
    if (this.running !== undefined) {
      this.again = true;
      return;
    }
    this.running = this.work().finally(() => {
      this.running = undefined;
      if (this.again) {
        this.again = false;
        this.wake();
      }
    });
  }

  private async listen(): Promise<void> {
    if (this.stopped) return;
    const client = new Client(poolConfig(this.connection));
    this.client = client;
    client.on('error', () => undefined);
    client.on('end', () => setTimeout(() => void this.listen(), 1_000).unref());
    client.on('notification', ({ payload = '' }) => this.concerns(payload) && this.wake());
    await client
      .connect()
      .then(() => client.query(`listen ${this.channel}`))
      .catch(() => client.end().catch(() => undefined));
  }
}
