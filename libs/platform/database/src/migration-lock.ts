import type { PoolClient } from 'pg';
import { pause } from '@acervo/platform-resilience';
import { type DatabaseConnection, openPool } from './connection';

const LOOK_EVERY_MS = 250;
const PATIENCE_MS = 30 * 60_000;

/** Another migrator of the schema has not ended in time. */
export class MigratorBusy extends Error {
  constructor(schema: string) {
    super(
      `Another program has been migrating ${schema} for ${PATIENCE_MS / 60_000} minutes. Wait until it has ended, or end it, and migrate again.`,
    );
    this.name = 'MigratorBusy';
  }
}

const keyOf = (schema: string): string => `hashtextextended('acervo.migrate ${schema}', 0)`;

/** Asks again and again: a wait for the lock would be ended by the time limit of the role. */
const lock = async (client: PoolClient, schema: string): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${keyOf(schema)}) as locked`);
    if (rows[0]?.locked === true) return;
    if (Date.now() > until) throw new MigratorBusy(schema);
    await pause(LOOK_EVERY_MS);
  }
};

/**
 * Runs the work while no other program migrates the schema. The lock ends with its connection. The embedded database has
 * one session for all and thus always grants it; its data directory admits one program.
 * @throws MigratorBusy
 */
export const withMigrationLock = async <T>(
  owner: DatabaseConnection,
  schema: string,
  work: () => Promise<T>,
): Promise<T> => {
  const pool = openPool({ ...owner, max: 1 });
  try {
    const client = await pool.connect();
    try {
      await lock(client, schema);
      return await work();
    } finally {
      await client.query(`select pg_advisory_unlock(${keyOf(schema)})`).catch(() => undefined);
      client.release();
    }
  } finally {
    await pool.end();
  }
};
