import { Client } from 'pg';
import { atMost, withTimeout } from '@acervo/platform-resilience';
import { type DatabaseConnection, poolConfig } from './connection';

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
  readonly client: Client;
  readonly connected: Promise<void>;
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
    if (open !== undefined) await atMost(DEADLINE_MS, open.client.end()).catch(() => undefined);
  }

  private connect(): ProbeConnection {
    const { max: _, ...login } = poolConfig(this.connection);
    // Without pipelining, the end of a client destroys its connection under a question that was not answered.
    const client = new Client({ ...login, pipeline: false, connectionTimeoutMillis: DEADLINE_MS });
    client.on('error', () => undefined);
    const connected = client.connect().then(() => undefined);
    return { client, connected };
  }

  private async ask({ client, connected }: ProbeConnection): Promise<void> {
    await connected;
    await client.query('select 1');
  }

  private drop(late: ProbeConnection): void {
    if (this.open === late) this.open = undefined;
    void late.client.end().catch(() => undefined);
  }
}
