import { pino } from 'pino';
import { EmbeddedDatabase, RELAY_ROLE } from '@acervo/platform-database';
import { EmbeddedRelay, failpointOfLife, Failpoints } from '@acervo/platform-messaging';
import { createLogger, type Logger } from '@acervo/platform-observability';
import { migrateAll } from '@acervo/platform-service';
import type { DataDirectory } from './data-directory';
import { Maintenance } from './maintenance';
import type { Opened } from './opened';
import type { StartEnvironment } from './options';
import { installedServices } from './service-list';

/** The engines that all services of this machine share. */
export interface EmbeddedEngines {
  readonly database: EmbeddedDatabase;
  readonly logger: Logger;
  /** Notes that somebody asked for something: upkeep waits until it is quiet. */
  asked(): void;
}

const openDatabase = async (
  { database: directory }: DataDirectory,
  logger: Logger,
  opened: Opened,
): Promise<EmbeddedDatabase> => {
  const database = await EmbeddedDatabase.start({
    directory,
    log: (event, details) => logger.warn({ event, details }, 'database'),
  });
  opened.add(() => database.stop());
  const migrations = Object.fromEntries(installedServices.map((service) => [service.name, service.migrations]));
  await migrateAll(migrations, (role) => database.connection(role));
  return database;
};

/** Starts the database, brings its schemas up to date, and sets the relay and the upkeep going. */
export const openEmbeddedEngines = async (
  directory: DataDirectory,
  environment: StartEnvironment,
  opened: Opened,
): Promise<EmbeddedEngines> => {
  const destination = pino.destination({ dest: directory.log, mkdir: true, sync: false });
  const logger = createLogger({ service: 'standalone', level: environment.logLevel, destination });
  const database = await openDatabase(directory, logger, opened);
  const failpoints = Failpoints.from(failpointOfLife(environment.failpoint, 'root', 1) ?? null);
  const relay = new EmbeddedRelay({ connection: database.connection(RELAY_ROLE, 'background'), logger, failpoints });
  relay.start();
  opened.add(() => relay.stop());
  let lastRequestAt = Date.now();
  const maintenance = new Maintenance({
    connection: (role) => database.connection(role),
    lastRequestAt: () => lastRequestAt,
    logger,
  });
  maintenance.start();
  opened.add(() => maintenance.stop());
  return { database, logger, asked: () => (lastRequestAt = Date.now()) };
};
