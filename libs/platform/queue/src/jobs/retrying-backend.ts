import {
  assertSchemaCompatibility,
  type PgPool,
  PostgresConnection,
  PostgresQueueBackend,
  type QueueOptions,
} from 'bullmq';

/** Checks of the schema by pool: all queues and workers of a pool share one, which a failure ends. */
const checks = new WeakMap<PgPool, Promise<void>>();

const checkSchema = async (pool: PgPool, schema: string): Promise<void> => {
  const client = await pool.connect();
  try {
    await assertSchemaCompatibility(client, schema);
  } finally {
    client.release();
  }
};

/** @throws the same error for all who wait for this check; the next caller checks again */
const schemaChecked = (pool: PgPool, schema: string): Promise<void> => {
  const existing = checks.get(pool);
  if (existing !== undefined) return existing;
  const check = checkSchema(pool, schema).catch((error: unknown) => {
    checks.delete(pool);
    throw error;
  });
  checks.set(pool, check);
  return check;
};

/**
 * A connection that forgets a failed check of the schema. The library keeps the failure for the life of the queue: it
 * refuses every later call, and a worker retries in a loop that blocks the event loop. The library also checks once per
 * queue and worker, 25 times a start; here it is once per pool.
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
    await schemaChecked(this.pool, this.schema);
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
