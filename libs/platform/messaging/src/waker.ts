import { Client } from 'pg';
import { type DatabaseConnection, poolConfig } from '@acervo/platform-database';
import { Rounds } from './rounds';

/**
 * Wakes a loop when a notification arrives, and every second in any case: notifications only shorten the wait, nothing
 * rests on them. Loops do not overlap; a wake during one means one more after it.
 */
export class Waker {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly rounds: Rounds;
  private stopped = false;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly channel: string,
    work: () => Promise<void>,
    private readonly concerns: (payload: string) => boolean = () => true,
  ) {
    this.rounds = new Rounds(work);
  }

  start(): void {
    this.timer = setInterval(() => this.wake(), 1_000);
    void this.listen();
    this.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.rounds.stop();
    await this.client?.end().catch(() => undefined);
  }

  wake(): void {
    this.rounds.next();
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
