import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '@acervo/platform-config';
import {
  type DatabaseConnection,
  loginRoles,
  prepareServer,
  RELAY_ROLE,
  rolesOfOthers,
} from '@acervo/platform-database';
import { EmbeddedRelay } from '@acervo/platform-messaging';
import { createLogger, Metrics } from '@acervo/platform-observability';
import { connectionOf, DatabaseConfig, migrateAll, MigrateConfig } from '@acervo/platform-service';
import type { DataDirectory } from './data-directory';
import { type Resources, knownMigrations, migrations } from './embedded-resources';
import type { Opened } from '../kernel/opened';
import type { StartEnvironment } from '../kernel/options';
import { StartRefused } from '../kernel/start-refused';

/** Another installation uses the named server. */
export class ServerTaken extends StartRefused {}

/** @throws ServerTaken if another installation created the roles of this server; nothing has changed */
const assertOurs = async (admin: DatabaseConnection, passwords: Readonly<Record<string, string>>): Promise<void> => {
  const [first, ...others] = await rolesOfOthers(admin, passwords);
  if (first === undefined) return;
  const which = others.length === 0 ? first : `${first} and ${others.length} more`;
  throw new ServerTaken(
    `The PostgreSQL server ${admin.host}:${admin.port} is in use by another installation: its roles (${which}) have other passwords, and new ones would lock that installation out. Nothing was changed. Name another server: each installation needs its own. If this installation prepared the server, name the administrator's password of that time.`,
  );
};

/** Address of the database on an external server, as a data directory records it. */
export const placeOf = ({ server = {} }: StartEnvironment): string => {
  const { databaseHost, databasePort, databaseName } = readConfig(DatabaseConfig, server);
  return `${databaseHost}:${databasePort}/${databaseName}`;
};

/**
 * Roles belong to the whole server: every installation with its administrator password derives the same role passwords.
 */
const passwordOf = (adminPassword: string, role: string): string =>
  createHmac('sha256', adminPassword).update(role).digest('hex').slice(0, 32);

/** Prepares an external PostgreSQL server and upgrades its schemas. @throws ServerTaken, DataDirectoryUnusable */
export const openExternalResources = async (
  directory: DataDirectory,
  environment: StartEnvironment,
  opened: Opened,
): Promise<Resources> => {
  directory.assertDatabaseAt(placeOf(environment));
  const destination = pino.destination({ dest: directory.log, mkdir: true, sync: false });
  const logger = createLogger({ service: 'standalone', level: environment.logLevel, destination });
  const config = readConfig(MigrateConfig, environment.server ?? {});
  const server = readConfig(DatabaseConfig, environment.server ?? {});
  const passwords = Object.fromEntries(
    loginRoles().map((role) => [role, passwordOf(config.adminPassword, role)] as const),
  );
  const admin = connectionOf(server, config.adminUser ?? '', config.adminPassword);
  await assertOurs(admin, passwords);
  await prepareServer(admin, passwords);
  const connection = (role: string): DatabaseConnection => connectionOf(server, role, passwords[role] ?? '');
  await migrateAll(migrations, connection);
  directory.settleLayout(knownMigrations, placeOf(environment));
  const metrics = new Metrics('standalone');
  if (environment.engines?.['ACERVO_EVENTS'] !== 'kafka') {
    const relay = new EmbeddedRelay(connection(RELAY_ROLE), logger, metrics);
    await relay.start();
    opened.add(() => relay.stop());
  }
  return { database: { connection }, logger, metrics, asked: () => undefined };
};
