import type { Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole } from './bootstrap';
import { type DatabaseConnection, openPool } from './connection';

export type MigrationClass = new () => MigrationInterface;

/**
 * A migration from its SQL, which stays readable on the class. Forward only: the next migration corrects a mistake. The
 * name ends in a timestamp of 13 digits, which orders it.
 */
export const sqlMigration = (name: string, sql: string): MigrationClass => {
  if (!/^[A-Za-z]+\d{13}$/.test(name)) throw new TypeError(`${name} must be letters and a time stamp of 13 digits.`);
  return class implements MigrationInterface {
    readonly name = name;
    readonly sql = sql;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }
    down(): Promise<void> {
      return Promise.reject(new Error(`${name} goes forward only; write the migration that puts it right.`));
    }
  };
};

const UNDEFINED_TABLE = '42P01';

/** The names of the migrations that ran; empty where the schema was never migrated. */
const ranIn = async (pool: Pool, schema: string): Promise<readonly string[]> => {
  try {
    const { rows } = await pool.query<{ name: string }>(`select name from ${schema}.migrations`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
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

/**
 * Migrates one schema as its owner role, one transaction per migration; answers the names that ran. Lets its service
 * read the names of the migrations.
 */
export const runMigrations = async (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<string[]> => {
  const pool = openPool({ ...owner, max: 1 });
  try {
    const before = new Set(await ranIn(pool, schema));
    const isWhole = before.size > 0 && migrations.every((Migration) => before.has(String(new Migration().name)));
    const ran = isWhole ? [] : await runMissing(owner, schema, migrations);
    await pool.query(`grant select on ${schema}.migrations to ${appRole(schema)}`);
    return ran;
  } finally {
    await pool.end();
  }
};
