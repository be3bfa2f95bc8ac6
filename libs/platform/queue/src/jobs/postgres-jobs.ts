import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  type QueueOptions,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { type DatabaseConnection, openPool, QUEUE_SCHEMA } from '@acervo/platform-database';
import { JobBackend } from './job-backend';

const MOST_CONNECTIONS = 10;

/** Jobs in PostgreSQL, in the database of the tasks. */
export class PostgresJobs extends JobBackend {
  override readonly remote = false;
  override readonly options: QueueOptions;
  /** The search path of its connections contains the job tables; queues and workers share the pool. */
  private readonly pool: Pool;

  constructor(connection: DatabaseConnection) {
    super();
    this.pool = openPool({ max: MOST_CONNECTIONS, ...connection, priority: 'background' }, QUEUE_SCHEMA);
    this.options = { connection: this.pool };
  }

  override async ping(): Promise<void> {
    await this.pool.query('select 1');
  }

  override close(): Promise<void> {
    return this.pool.end();
  }
}

/** Whether the tables of the job backend are those of this version or of a later one; one read, without a lock. */
const isMigrated = async (client: PoolClient): Promise<boolean> => {
  try {
    return (await assertSchemaCompatibility(client, QUEUE_SCHEMA)) >= LATEST_SCHEMA_VERSION;
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return false;
    throw error;
  }
};

/** Creates the tables of the job backend. A step of deployment; idempotent, and one read where nothing is to be done. */
export const migrateQueue = async (connection: DatabaseConnection): Promise<void> => {
  const pool = openPool({ ...connection, max: 1 });
  try {
    const client = await pool.connect();
    try {
      if (await isMigrated(client)) return;
      // The role owns its schema and may create no other, so the statement that creates a schema is skipped.
      const query = (text: string, values?: unknown[]): Promise<QueryResult> =>
        client.query(text.startsWith('CREATE SCHEMA IF NOT EXISTS') ? 'select 1' : text, values);
      await runMigrations({ query }, QUEUE_SCHEMA);
    } finally {
      client.release();
    }
  } finally {
    await pool.end();
  }
};
