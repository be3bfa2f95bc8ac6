import { createPostgresBackend, type Processor, Queue, runMigrations, Worker } from 'bullmq';
import type { Pool, QueryResult } from 'pg';
import { type DatabaseConnection, openPool, QUEUE_SCHEMA } from '@acervo/platform-database';
import { JobBackend, type Ring, type RingQueue, type RingWorker, WORKER } from './job-backend';
import { LastingQueue, LastingWorker } from './lasting';

/** Jobs in tables of the database that the work stands in. */
export class PostgresJobs extends JobBackend {
  override readonly remote = false;
  /** Its connections see the job tables by their plain names. */
  private readonly pool: Pool;
  private readonly reach = (): Promise<unknown> => this.pool.query('select 1');

  constructor(connection: DatabaseConnection) {
    super();
    this.pool = openPool({ ...connection, lane: 'background', max: 6 }, QUEUE_SCHEMA);
  }

  override openQueue(name: string): RingQueue {
    return new LastingQueue(this.reach, () => new Queue(name, { connection: this.pool }, createPostgresBackend));
  }

  override openWorker(name: string, work: Processor<Ring, void>, concurrency: number): RingWorker {
    const options = { connection: this.pool, concurrency, autorun: false, ...WORKER };
    return new LastingWorker(this.reach, () => new Worker(name, work, options, createPostgresBackend));
  }

  override async ping(): Promise<void> {
    await this.reach();
  }

  override close(): Promise<void> {
    return this.pool.end();
  }
}

/** Makes the tables of the job backend; a step of deployment, safe to repeat. */
export const migrateQueue = async (connection: DatabaseConnection): Promise<void> => {
  const pool = openPool({ ...connection, max: 1 });
  try {
    const client = await pool.connect();
    try {
      // The role owns its schema and may make no other, so the one statement that would is left out.
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
