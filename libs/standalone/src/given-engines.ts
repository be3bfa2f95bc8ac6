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
import { connectionOf, migrateAll, MigrateConfig } from '@acervo/platform-service';
import type { DataDirectory } from './data-directory';
import { type Engines, knownMigrations, migrations } from './embedded-engines';
import type { Opened } from './opened';
import type { StartEnvironment } from './options';

/** Whether a PostgreSQL server is named that this program may make ready, instead of the embedded one. */
export const isGiven = ({ server = {} }: StartEnvironment): boolean =>
  (server['ACERVO_DATABASE_ADMIN_USER'] ?? '') !== '';

/** The server that was named is in use by another installation. */
export class ServerTaken extends Error {}

/** @throws ServerTaken where somebody else made the roles of this server; nothing was changed */
const assertOurs = async (admin: DatabaseConnection, passwords: Readonly<Record<string, string>>): Promise<void> => {
  const [first, ...others] = await rolesOfOthers(admin, passwords);
  if (first === undefined) return;
  const which = others.length === 0 ? first : `${first} and ${others.length} more`;
  throw new ServerTaken(
    `The PostgreSQL server ${admin.host}:${admin.port} is in use by another installation: its roles (${which}) have other passwords than this start would give them, which would lock out who uses them. Nothing was changed. Name another server, since one belongs to one installation; or, where this installation prepared it, the administrator's password of that time.`,
  );
};

/** Where the database of a given server is, as a data directory notes it. */
export const placeOf = ({ server = {} }: StartEnvironment): string => {
  const { databaseHost, databasePort, databaseName } = readConfig(MigrateConfig, server);
  return `${databaseHost}:${databasePort}/${databaseName}`;
};

/** Roles belong to the whole server: every installation that knows its administrator gives them the same passwords. */
const passwordOf = (adminPassword: string, role: string): string =>
  createHmac('sha256', adminPassword).update(role).digest('hex').slice(0, 32);

/** Makes a given PostgreSQL server ready and brings its schemas up to date. @throws ServerTaken */
export const openGivenEngines = async (
  directory: DataDirectory,
  environment: StartEnvironment,
  opened: Opened,
): Promise<Engines> => {
  const destination = pino.destination({ dest: directory.log, mkdir: true, sync: false });
  const logger = createLogger({ service: 'standalone', level: environment.logLevel, destination });
  const config = readConfig(MigrateConfig, environment.server ?? {});
  const passwords = Object.fromEntries(
    loginRoles().map((role) => [role, passwordOf(config.adminPassword, role)] as const),
  );
  const admin = connectionOf(config, config.adminUser ?? '', config.adminPassword);
  await assertOurs(admin, passwords);
  await prepareServer(admin, passwords);
  const connection = (role: string): DatabaseConnection => connectionOf(config, role, passwords[role] ?? '');
  await migrateAll(migrations, connection);
  directory.settleLayout(knownMigrations, placeOf(environment));
  const metrics = new Metrics('standalone');
  if (environment.engines?.['ACERVO_EVENTS'] !== 'kafka') {
    const relay = new EmbeddedRelay({ connection: connection(RELAY_ROLE), logger, metrics });
    await relay.start();
    opened.add(() => relay.stop());
  }
  return { database: { connection }, logger, metrics, asked: () => undefined };
};
