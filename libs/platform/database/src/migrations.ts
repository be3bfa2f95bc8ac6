import type { Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole } from './bootstrap';
import { type DatabaseConnection, openPool } from './connection';

export type MigrationClass = new () => MigrationInterface;

/** Runs a statement within the transaction of a migration. */
export type MigrationQuery = <R extends object>(sql: string, params?: readonly unknown[]) => Promise<R[]>;

/**
 * A migration from its SQL, which stays readable on the class. Forward only: the next migration corrects a mistake. The
 * name ends in a timestamp of 13 digits, which orders it.
 * @param afterwards changes rows in a way that SQL cannot express, in the same transaction
 */
export const sqlMigration = (
  name: string,
  sql: string,
  afterwards?: (query: MigrationQuery) => Promise<void>,
): MigrationClass => {
  if (!/^[A-Za-z]+\d{13}$/.test(name)) throw new TypeError(`${name} must be letters and a time stamp of 13 digits.`);
  return class implements MigrationInterface {
    readonly name = name;
    readonly sql = sql;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
      await afterwards?.((statement, params) =>
        runner.query(statement, params === undefined ? undefined : [...params]),
      );
    }
    down(): Promise<void> {
      return Promise.reject(new Error(`${name} cannot be reverted; write a migration that repairs it.`));
    }
  };
};

const UNDEFINED_TABLE = '42P01';

/** The migrations that ran in a schema, and whether its service may read their names. */
interface Ran {
  readonly names: ReadonlySet<string>;
  readonly isReadable: boolean;
}

/** Empty where the schema was never migrated. */
const ranIn = async (pool: Pool, schema: string): Promise<Ran> => {
  try {
    const { rows } = await pool.query<{ name: string; readable: boolean }>(
      `select name, has_table_privilege('${appRole(schema)}', '${schema}.migrations', 'select') as readable from ${schema}.migrations`,
    );
    return { names: new Set(rows.map(({ name }) => name)), isReadable: rows.some(({ readable }) => readable) };
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return { names: new Set(), isReadable: false };
    throw error;
  }
};

const runMissing = async (
  { host, port, database, user, password, tls }: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<string[]> => {
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
    return (await source.runMigrations()).map(({ name }) => name);
  } finally {
    await source.destroy();
  }
};

/** Whether every migration ran in a schema, and its service may read their names. */
export const isMigrated = async (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<boolean> => {
  const pool = openPool({ ...owner, max: 1 });
  try {
    const { names, isReadable } = await ranIn(pool, schema);
    return isReadable && migrations.every((Migration) => names.has(String(new Migration().name)));
  } finally {
    await pool.end();
  }
};

/**
 * Migrates one schema as its owner role, one transaction per migration; answers the names that ran. Lets its service
 * read the names of the migrations.
 */
export const runMigrations = async (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<string[]> => {
  if (await isMigrated(owner, schema, migrations)) return [];
  const ran = await runMissing(owner, schema, migrations);
  const pool = openPool({ ...owner, max: 1 });
  try {
    await pool.query(`grant select on ${schema}.migrations to ${appRole(schema)}`);
    return ran;
  } finally {
    await pool.end();
  }
};
