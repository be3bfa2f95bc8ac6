import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, services } from '@acervo/contracts';
import { assertProgramEnvironment, readConfigs } from '@acervo/platform-config';
import {
  type DatabaseConnection,
  loginRoles,
  type MigrationClass,
  missingRoles,
  newestOf,
  ownerRole,
  prepareServer,
  RELAY_ROLE,
  relayRole,
} from '@acervo/platform-database';
import { createLogger } from '@acervo/platform-observability';
import { connectionOf } from '../settings/connections';
import { migrateAll } from './migrate';
import { DatabaseConfig } from '../settings/database-config';
import { kafkaSettings } from '../settings/kafka-config';
import { MigrateConfig } from '../settings/migrate-config';

/** A mistake in an argument or a setting, which the operator can correct. Its message is enough output. */
export class CannotMigrate extends Error {}

type Migrations = Partial<Record<ServiceName, readonly MigrationClass[]>>;

const wanted = (names: readonly string[]): readonly ServiceName[] => {
  for (const name of names)
    if (!(services as readonly string[]).includes(name))
      throw new CannotMigrate(`There is no service ${name}; there are ${services.join(', ')}.`);
  return names.length === 0 ? services : services.filter((name) => names.includes(name));
};

type Passwords = Readonly<Record<string, string>>;

/** The passwords of a mounted secret: one file per role. An empty file counts as none. */
const passwordsIn = (directory: string | null): Passwords => {
  if (directory === null) throw new CannotMigrate('ACERVO_DATABASE_PASSWORDS names no directory with passwords.');
  const found = loginRoles().flatMap((role) => {
    const file = join(directory, role);
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    return text === '' ? [] : [[role, text] as const];
  });
  return Object.fromEntries(found);
};

/**
 * Relay roles without a file have the password of the role that all services shared before: a deployment of that
 * version keeps its files and settings.
 */
const withRelayPasswords = (passwords: Passwords): Passwords => {
  const shared = passwords[RELAY_ROLE];
  if (shared === undefined) return passwords;
  return { ...Object.fromEntries(services.map((service) => [relayRole(service), shared])), ...passwords };
};

/** Every service has its relay role, and the operator has removed the password of the shared one. */
const retiresSharedRelay = (passwords: Passwords): boolean =>
  passwords[RELAY_ROLE] === undefined && services.every((service) => passwords[relayRole(service)] !== undefined);

const prepare = async (admin: DatabaseConnection, passwords: Passwords): Promise<void> => {
  const renewed = Object.entries(withRelayPasswords(passwords)).map(([role, text]) => [role, newestOf(text)] as const);
  await prepareServer(admin, Object.fromEntries(renewed), { retiresSharedRelay: retiresSharedRelay(passwords) });
};

/** @throws CannotMigrate where this version needs roles that only an administrator can create */
const assertRoles = async (login: DatabaseConnection): Promise<void> => {
  const missing = await missingRoles(login);
  if (missing.length === 0) return;
  throw new CannotMigrate(
    `The server lacks the roles ${missing.join(', ')}. Set ACERVO_DATABASE_ADMIN_USER, so that migrate creates them, and give each a file in ACERVO_DATABASE_PASSWORDS.`,
  );
};

/** The client of Kafka is loaded only where it is used. */
const prepareBrokers = async (config: MigrateConfig): Promise<void> => {
  const { openKafka, prepareKafka } = await import('@acervo/platform-messaging/kafka');
  const settings = kafkaSettings('migrate', config);
  await prepareKafka(openKafka(settings, createLogger({ service: 'migrate', level: 'warn' })), settings);
};

/**
 * Prepares the database where an administrator is named, then migrates the schemas of all services, or of the named
 * ones. Each migration runs as the owner role of its schema. Afterwards prepares Kafka where that is asked. Idempotent.
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
  if (config.adminUser !== null) await prepare(connectionOf(server, config.adminUser, config.adminPassword), passwords);
  const connection = (role: string): DatabaseConnection => {
    const password = passwords[role];
    if (password === undefined)
      throw new CannotMigrate(`There is no password of ${role} in ${config.passwords}; it is needed to migrate.`);
    return connectionOf(server, role, password);
  };
  const [first] = only;
  if (config.adminUser === null && first !== undefined) await assertRoles(connection(ownerRole(first)));
  const ran = await migrateAll(migrations, connection, only);
  if (config.kafkaPrepare) await prepareBrokers(config);
  return ran;
};
