import {
  assertSchemaCompatibility,
  type PgPool,
  PostgresConnection,
  PostgresQueueBackend,
  type QueueOptions,
} from 'bullmq';
import { RecentAnswers } from '@acervo/platform-resilience';

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

/** The answer of one look serves the workers of a pool, which all look within each `stalledInterval`. */
const LOOK_HOLDS_MS = 2_500;
const looks = new WeakMap<PgPool, RecentAnswers<ReadonlySet<string>>>();

/** The queues with jobs in work, which alone can be stalled. */
const busyQueues = (pool: PgPool): Promise<ReadonlySet<string>> => {
  const recent = looks.get(pool) ?? new RecentAnswers<ReadonlySet<string>>(LOOK_HOLDS_MS, 1);
  looks.set(pool, recent);
  return recent.get('', async () => {
    const { rows } = await pool.query<{ queue: string }>(`select distinct queue from job where state = 'active'`);
    return new Set(rows.map(({ queue }) => queue));
  });
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
  constructor(
    private readonly jobs: PgPool,
    queue: string,
    options: Omit<QueueOptions, 'connection'>,
    listenName?: string,
  ) {
    super(new RetryingConnection(jobs), queue, { ...options, connection: jobs }, true, listenName);
  }

  /** The search for stalled jobs marks and returns jobs in work. At rest there are none, and one look says so for all. */
  override async moveStalledJobsToWait(): Promise<string[]> {
    const busy = await busyQueues(this.jobs);
    return busy.has(this.queueName) ? super.moveStalledJobsToWait() : [];
  }

  override async waitUntilReady(): Promise<void> {
    // The library also keeps this answer, so the query waits until the connection is ready.
    await this.connection.waitUntilReady();
    await super.waitUntilReady();
  }
}
