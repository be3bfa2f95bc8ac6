import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, services } from '@acervo/contracts';
import { assertProgramEnvironment, readConfigs } from '@acervo/platform-config';
import { type DatabaseConnection, loginRoles, type MigrationClass, prepareServer } from '@acervo/platform-database';
import { connectionOf } from './connections';
import { migrateAll } from './migrate';
import { DatabaseConfig } from './database-config';
import { MigrateConfig } from './migrate-config';

/** A mistake in an argument or a setting, which the operator can correct. Its message is enough output. */
export class CannotMigrate extends Error {}

type Migrations = Partial<Record<ServiceName, readonly MigrationClass[]>>;

const wanted = (names: readonly string[]): readonly ServiceName[] => {
  for (const name of names)
    if (!(services as readonly string[]).includes(name))
      throw new CannotMigrate(`There is no service ${name}; there are ${services.join(', ')}.`);
  return names.length === 0 ? services : services.filter((name) => names.includes(name));
};

/** The passwords of a mounted secret: one file per role. */
const passwordsIn = (directory: string | null): Record<string, string> => {
  if (directory === null) throw new CannotMigrate('ACERVO_DATABASE_PASSWORDS names no directory with passwords.');
  const found = loginRoles().flatMap((role) => {
    const file = join(directory, role);
    return existsSync(file) ? [[role, readFileSync(file, 'utf8').trim()] as const] : [];
  });
  return Object.fromEntries(found);
};

/**
 * Prepares the database where an administrator is named, then migrates the schemas of all services, or of the named
 * ones. Each migration runs as the owner role of its schema. Idempotent.
 * @returns the migrations that ran @throws CannotMigrate, InvalidConfiguration
 */
export const migrateDatabase = async (
  migrations: Migrations,
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Promise<string[]> => {
  assertProgramEnvironment([MigrateConfig, DatabaseConfig], environment);
  const configs = readConfigs([MigrateConfig, DatabaseConfig], environment);
  const config = configs.get(MigrateConfig) as MigrateConfig;
  const server = configs.get(DatabaseConfig) as DatabaseConfig;
  const passwords = passwordsIn(config.passwords);
  const only = wanted(names);
  if (config.adminUser !== null)
    await prepareServer(connectionOf(server, config.adminUser, config.adminPassword), passwords);
  const connection = (role: string): DatabaseConnection => {
    const password = passwords[role];
    if (password === undefined)
      throw new CannotMigrate(`There is no password of ${role} in ${config.passwords}; it is needed to migrate.`);
    return connectionOf(server, role, password);
  };
  return migrateAll(migrations, connection, only);
};
