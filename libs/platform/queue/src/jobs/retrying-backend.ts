import {
  assertSchemaCompatibility,
  type PgPool,
  PostgresConnection,
  PostgresQueueBackend,
  type QueueOptions,
} from 'bullmq';

/**
 * A connection that forgets a failed check of the schema. The library keeps the failure for the life of the queue: it
 * refuses every later call, and a worker retries in a loop that blocks the event loop.
 */
class RetryingConnection extends PostgresConnection {
  private checked: Promise<void> | undefined;

  override waitUntilReady(): Promise<void> {
    this.checked ??= this.check().catch((error: unknown) => {
      this.checked = undefined;
      throw error;
    });
    return this.checked;
  }

  private async check(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await assertSchemaCompatibility(client, this.schema);
    } finally {
      client.release();
    }
    setImmediate(() => this.emit('ready'));
  }
}

/** Jobs in PostgreSQL that survive an outage of the database, whenever it begins. */
export class RetryingPostgresBackend extends PostgresQueueBackend {
  /** @param listenName name of the connection that waits for jobs; absent for a queue, which does not wait */
  constructor(pool: PgPool, queue: string, options: Omit<QueueOptions, 'connection'>, listenName?: string) {
    super(new RetryingConnection(pool), queue, { ...options, connection: pool }, true, listenName);
  }

  override async waitUntilReady(): Promise<void> {
    // The library also keeps this answer, so the query waits until the connection is ready.
    await this.connection.waitUntilReady();
    await super.waitUntilReady();
  }
}
