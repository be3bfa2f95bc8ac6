import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, services } from '@acervo/contracts';
import { readConfig } from '@acervo/platform-config';
import { type DatabaseConnection, loginRoles, type MigrationClass, prepareServer } from '@acervo/platform-database';
import { connectionOf } from './engines';
import { migrateAll } from './migrate';
import { MigrateConfig } from './migrate-config';

/** A wish or a setting that a person can put right: its message is all that has to be shown. */
export class CannotMigrate extends Error {}

type Migrations = Partial<Record<ServiceName, readonly MigrationClass[]>>;

const wanted = (names: readonly string[]): readonly ServiceName[] => {
  for (const name of names)
    if (!(services as readonly string[]).includes(name))
      throw new CannotMigrate(`There is no service ${name}; there are ${services.join(', ')}.`);
  return names.length === 0 ? services : services.filter((name) => names.includes(name));
};

/** The passwords of a mounted secret: a file a role. */
const passwordsIn = (directory: string | null): Record<string, string> => {
  if (directory === null) throw new CannotMigrate('ACERVO_DATABASE_PASSWORDS names no directory with passwords.');
  const found = loginRoles().flatMap((role) => {
    const file = join(directory, role);
    return existsSync(file) ? [[role, readFileSync(file, 'utf8').trim()] as const] : [];
  });
  return Object.fromEntries(found);
};

/**
 * Makes the database ready where an administrator is named, then brings the schemas of all services up to date, or of
 * those that are named, each as the role that owns it. May be repeated.
 * @returns the migrations that ran @throws CannotMigrate
 */
export const migrateDatabase = async (
  migrations: Migrations,
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Promise<string[]> => {
  const config = readConfig(MigrateConfig, environment);
  const passwords = passwordsIn(config.passwords);
  const only = wanted(names);
  if (config.adminUser !== null)
    await prepareServer(connectionOf(config, config.adminUser, config.adminPassword), passwords);
  const connection = (role: string): DatabaseConnection => {
    const password = passwords[role];
    if (password === undefined)
      throw new CannotMigrate(`There is no password of ${role} in ${config.passwords}; it is needed to migrate.`);
    return connectionOf(config, role, password);
  };
  return migrateAll(migrations, connection, only);
};
