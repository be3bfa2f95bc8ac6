import type { Client } from 'pg';
import { atMost, withTimeout } from '@acervo/platform-resilience';
import { type DatabaseConnection, poolConfig } from './connection';
import { connectClient } from './passwords';

/** Longest that one question takes, the connection included. */
const DEADLINE_MS = 900;

/** The database did not answer the probe in time. */
class ProbeUnanswered extends Error {
  constructor() {
    super(`The database did not answer within ${DEADLINE_MS} ms.`);
    this.name = 'ProbeUnanswered';
  }
}

interface ProbeConnection {
  /** The client of the latest try: a role may have two passwords. */
  client: Client | undefined;
  connected: Promise<Client>;
}

/**
 * Asks whether the database answers, over one connection that serves nothing else: a busy pool does not look like an
 * absent database. A connection that was late is destroyed, and the next question opens another.
 */
export class DatabaseProbe {
  private open: ProbeConnection | undefined;

  constructor(private readonly connection: DatabaseConnection) {}

  /** Resolves or rejects within a second. @throws when the database does not answer */
  async ping(): Promise<void> {
    const asked = (this.open ??= this.connect());
    try {
      await withTimeout(DEADLINE_MS, this.ask(asked), () => new ProbeUnanswered());
    } catch (error) {
      this.drop(asked);
      throw error;
    }
  }

  async close(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    if (open?.client !== undefined) await atMost(DEADLINE_MS, open.client.end()).catch(() => undefined);
  }

  private connect(): ProbeConnection {
    const { max: _, ...login } = poolConfig(this.connection);
    // Without pipelining, the end of a client destroys its connection under a question that was not answered.
    const config = { ...login, pipeline: false, connectionTimeoutMillis: DEADLINE_MS };
    const opening: Omit<ProbeConnection, 'connected'> = { client: undefined };
    const connected = connectClient(config, this.connection.password, (client) => (opening.client = client));
    return Object.assign(opening, { connected });
  }

  private async ask({ connected }: ProbeConnection): Promise<void> {
    await (await connected).query('select 1');
  }

  private drop(late: ProbeConnection): void {
    if (this.open === late) this.open = undefined;
    void late.client?.end().catch(() => undefined);
  }
}
