import { migrationsOf } from '@acervo/platform-service';
import { openTestDatabase } from '@acervo/platform-testing';
import { operationsMigrations } from '../src/migrations';

/** The tables of the service on a database of their own. */
export const openOperations = async () => {
  const db = await openTestDatabase({ operations: migrationsOf('operations', operationsMigrations) });
  return { db, database: db.database('operations') };
};
export type Opened = Awaited<ReturnType<typeof openOperations>>;
