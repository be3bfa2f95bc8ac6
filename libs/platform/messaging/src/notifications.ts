import type { Client } from 'pg';
import { type DatabaseConnection, openClient } from '@acervo/platform-database';

export type HearNotification = (payload: string) => void;

/** One listener of a channel. */
interface Listener {
  readonly hear: HearNotification;
  readonly opened: () => void;
}

const AGAIN_MS = 1_000;

/**
 * The notifications that a process hears: one connection for all channels, open while a channel has a listener. It is opened
 * again when it is lost; what was notified meanwhile is not heard.
 */
export class Notifications {
  private readonly channels = new Map<string, Set<Listener>>();
  private client: Client | undefined;
  private again: NodeJS.Timeout | undefined;

  constructor(private readonly connection: DatabaseConnection) {}

  /**
   * Calls a listener for each notification of a channel; answers how to stop that.
   * @param opened called once the channel is heard, and again after each loss: what was notified before is not heard
   */
  on(channel: string, hear: HearNotification, opened: () => void = () => undefined): () => Promise<void> {
    const listener = { hear, opened };
    const listeners = this.channels.get(channel) ?? new Set();
    this.channels.set(channel, listeners.add(listener));
    if (this.client === undefined) void this.open();
    else void this.listenTo(this.client, channel);
    return () => this.off(channel, listener);
  }

  private async off(channel: string, listener: Listener): Promise<void> {
    const listeners = this.channels.get(channel);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.channels.delete(channel);
    if (this.channels.size > 0) return;
    clearTimeout(this.again);
    const { client } = this;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async open(): Promise<void> {
    let opening: Client | undefined;
    try {
      const client = await openClient(this.connection, (tried) => {
        opening = this.client = tried;
        tried.on('notification', ({ channel, payload = '' }) => {
          for (const { hear } of this.channels.get(channel) ?? []) hear(payload);
        });
      });
      // The last listener stopped meanwhile.
      if (this.channels.size === 0) return await client.end();
      client.once('end', () => this.openAgain(client));
      for (const channel of this.channels.keys()) await this.listenTo(client, channel);
    } catch {
      this.openAgain(opening);
    }
  }

  /** A connection that cannot listen is ended, and opened again. */
  private async listenTo(client: Client, channel: string): Promise<void> {
    try {
      await client.query(`listen ${channel}`);
      for (const { opened } of this.channels.get(channel) ?? []) opened();
    } catch {
      await client.end().catch(() => undefined);
    }
  }

  private openAgain(lost: Client | undefined): void {
    if (this.client !== lost || this.channels.size === 0) return;
    this.again = setTimeout(() => void this.open(), AGAIN_MS);
    this.again.unref();
  }
}
