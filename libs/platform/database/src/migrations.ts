import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { appRole } from './bootstrap';
import type { DatabaseConnection } from './connection';

export type MigrationClass = new () => MigrationInterface;

/**
 * A migration from its SQL, which can be read of it. Forward only: what went wrong is put right by the next one. The
 * name ends in a time stamp of 13 digits, which orders it.
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

/**
 * Brings one schema up to date as its owner role, one transaction a migration; answers the names that ran. Its service
 * may read which ones those are.
 */
export const runMigrations = async (
  owner: DatabaseConnection,
  schema: string,
  migrations: readonly MigrationClass[],
): Promise<string[]> => {
  const { host, port, database, user, password, tls } = owner;
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
    const ran = await source.runMigrations();
    await source.query(`grant select on ${schema}.migrations to ${appRole(schema)}`);
    return ran.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
};
