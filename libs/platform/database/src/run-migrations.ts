import type { Pool } from 'pg';
import { exponential, retry } from '@acervo/platform-resilience';
import { appRole } from './bootstrap';
import { acceptedLogin, type DatabaseConnection, openPool } from './connection';
import { withMigrationLock } from './migration-lock';
import { KIND_SETTING, LOCK_TIMEOUT, type MigrationClass, OLDEST_SETTING } from './migrations';

/** A row of `{schema}.migrations`: a migration that ran, and what it declared. */
export interface RanMigration {
  readonly name: string;
  /** Null where the migration declared nothing. */
  readonly kind: 'expand' | 'contract' | null;
  readonly oldestProgram: string | null;
}

/** SQLSTATEs of a schema that was never migrated, or whose migrations have no declarations yet. */
const NO_SUCH_TABLE = '42P01';
const NO_SUCH_COLUMN = '42703';
/** SQLSTATEs of a migration that met transactions of running programs: it changed nothing and may be repeated. */
const IN_THE_WAY = new Set(['55P03', '40P01']);
const TRIES = 30;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 3_000;

/** A transaction of another program kept the locks that a migration needs. */
export class MigrationBlocked extends Error {
  constructor(schema: string, options: ErrorOptions) {
    super(
      `A migration of ${schema} did not get its locks within ${LOCK_TIMEOUT}, ${TRIES} times, and changed nothing. Find the transaction that has them (pg_stat_activity, pg_locks), let it end, and migrate again.`,
      options,
    );
    this.name = 'MigrationBlocked';
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/**
 * The table of TypeORM with the declarations beside the names. TypeORM writes a row at the end of the migration's
 * transaction and knows none of these columns, so their defaults read what the migration has set for its transaction.
 */
const tableSql = (schema: string): string => `
create table if not exists ${schema}.migrations (id serial primary key, timestamp bigint not null, name character varying not null);
alter table ${schema}.migrations
  add column if not exists kind text default nullif(current_setting('${KIND_SETTING}', true), ''),
  add column if not exists oldest_program text default nullif(current_setting('${OLDEST_SETTING}', true), '');
grant select on ${schema}.migrations to ${appRole(schema)};`;

const prepareTable = async (pool: Pool, schema: string): Promise<void> => {
  const sql = `begin; set local lock_timeout = '${LOCK_TIMEOUT}'; ${tableSql(schema)} commit`;
  await pool.query(sql).catch(async (error: unknown) => {
    await pool.query('rollback');
    throw error;
  });
};

/** The query for the migrations that ran in a schema. @param more further columns */
export const ranMigrationsSql = (schema: string, more = ''): string =>
  `select name, kind, oldest_program as "oldestProgram"${more} from ${schema}.migrations`;

/** The migrations that ran, and whether the service may read them; undefined where the table is not complete. */
const ranIn = async (
  pool: Pool,
  schema: string,
): Promise<{ readonly ran: readonly RanMigration[]; readonly isReadable: boolean } | undefined> => {
  const readable = `, has_table_privilege('${appRole(schema)}', '${schema}.migrations', 'select') as readable`;
  try {
    const { rows } = await pool.query<RanMigration & { readable: boolean }>(ranMigrationsSql(schema, readable));
    const ran = rows.map(({ name, kind, oldestProgram }) => ({ name, kind, oldestProgram }));
    return { ran, isReadable: rows.some((row) => row.readable) };
  } catch (error) {
    if ([NO_SUCH_TABLE, NO_SUCH_COLUMN].includes(codeOf(error))) return undefined;
    throw error;
  }
};

const withPool = async <T>(owner: DatabaseConnection, work: (pool: Pool) => Promise<T>): Promise<T> => {
  const pool = openPool({ ...owner, max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

const nameOf = (Migration: MigrationClass): string => new Migration().name;

/** The migrations that ran in a schema, as its owner reads them; none where it was never migrated. */
export const ranMigrations = (owner: DatabaseConnection, schema: string): Promise<readonly RanMigration[]> =>
  withPool(owner, async (pool) => (await ranIn(pool, schema))?.ran ?? []);

/** Whether every migration ran in a schema, and its service may read what they declared. */
export const isMigrated = (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<boolean> =>
  withPool(owner, async (pool) => {
    const found = await ranIn(pool, schema);
    if (found === undefined || !found.isReadable) return false;
    const names = new Set(found.ran.map(({ name }) => name));
    return migrations.every((Migration) => names.has(nameOf(Migration)));
  });

const runMissing = async (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<void> => {
  const { host, port, database, user, password, tls } = await acceptedLogin(owner);
  // Imports 300 files that most starts do not need.
  const { DataSource } = await import('typeorm');
  const source = new DataSource({
    type: 'postgres',
    host,
    port,
    database,
    username: user,
    password,
    ...(tls === undefined ? {} : { ssl: { ...tls, rejectUnauthorized: true } }),
    schema,
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    poolSize: 1,
    logging: false,
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
};

/** Repeats what met locks of running programs: what ran is not repeated, each migration being a transaction. */
const runPatiently = (schema: string, work: () => Promise<void>): Promise<void> =>
  retry(work, (failures, error) => {
    if (!IN_THE_WAY.has(codeOf(error))) return undefined;
    if (failures >= TRIES) throw new MigrationBlocked(schema, { cause: error });
    return exponential(failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
  });

/**
 * Migrates one schema as its owner role, one transaction per migration; answers the names that ran, in order. Lets the
 * service read them. A second migrator of the schema waits until the first one has ended.
 * @throws MigrationBlocked
 */
export const runMigrations = async (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<string[]> => {
  if (await isMigrated(owner, schema, migrations)) return [];
  return withMigrationLock(owner, schema, () =>
    withPool(owner, async (pool) => {
      await runPatiently(schema, () => prepareTable(pool, schema));
      const before = new Set((await ranIn(pool, schema))?.ran.map(({ name }) => name));
      await runPatiently(schema, () => runMissing(owner, schema, migrations));
      const after = await pool.query<{ name: string }>(`select name from ${schema}.migrations order by id`);
      return after.rows.map(({ name }) => name).filter((name) => !before.has(name));
    }),
  );
};
