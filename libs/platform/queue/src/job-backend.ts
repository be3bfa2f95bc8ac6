import { createPostgresBackend, type Processor, Queue, runMigrations, Worker } from 'bullmq';
import type { Pool, QueryResult } from 'pg';
import { type DatabaseConnection, openPool, QUEUE_SCHEMA } from '@acervo/platform-database';

/** The one place that knows what the job library stands on: PostgreSQL here. */

/** What a doorbell says: there is work of this stage in this group. Nothing else; the work stands in its table. */
export interface Ring {
  readonly groupId: string;
  readonly stage: string;
}

/** A pool whose connections see the job tables by their plain names. */
export const openJobPool = (connection: DatabaseConnection): Pool =>
  openPool({ ...connection, lane: 'background', max: 6 }, QUEUE_SCHEMA);

export const openQueue = (name: string, pool: Pool) => new Queue(name, { connection: pool }, createPostgresBackend);

export const openWorker = (name: string, pool: Pool, work: Processor<Ring, void>, concurrency: number) =>
  new Worker(
    name,
    work,
    { connection: pool, concurrency, stalledInterval: 5_000, lockDuration: 15_000 },
    createPostgresBackend,
  );

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
