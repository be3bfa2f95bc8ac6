import { pino } from 'pino';
import { services } from '@acervo/contracts';
import { EmbeddedDatabase, RELAY_ROLE } from '@acervo/platform-database';
import { EmbeddedRelay, failpointOfLife, Failpoints } from '@acervo/platform-messaging';
import { createLogger, type Logger, Metrics } from '@acervo/platform-observability';
import { migrateAll, migrationsOf } from '@acervo/platform-service';
import type { DataDirectory } from './data-directory';
import type { Say } from './intake';
import { EMBEDDED, LAYOUT } from './layout';
import { Maintenance } from './maintenance';
import type { Opened } from './opened';
import type { StartEnvironment } from './options';
import { installedServices } from './service-list';

/** The engines that all services of this machine share. */
export interface Engines {
  /** Where each role logs in. */
  readonly database: Pick<EmbeddedDatabase, 'connection'>;
  readonly logger: Logger;
  /** Figures of this program itself. */
  readonly metrics: Metrics;
  /** Notes that somebody asked for something: upkeep waits until it is quiet. */
  asked(): void;
}

export const migrations = Object.fromEntries(installedServices.map((service) => [service.name, service.migrations]));

/** Changes of the database schemas that this program knows, by name. */
export const knownMigrations: readonly string[] = services.flatMap((service) =>
  migrationsOf(service, migrations[service]).map((Migration) => `${service}.${String(new Migration().name)}`),
);

const openDatabase = async (
  directory: DataDirectory,
  { logger, say }: { readonly logger: Logger; readonly say: Say },
  opened: Opened,
): Promise<EmbeddedDatabase> => {
  const database = await EmbeddedDatabase.start({
    directory: directory.database,
    log: (event, details) => logger.warn({ event, details }, 'database'),
  });
  opened.add(() => database.stop());
  const ran = await migrateAll(migrations, (role) => database.connection(role));
  const { openedFrom, isNew } = directory;
  directory.settleLayout(knownMigrations, EMBEDDED);
  const changes = [
    ...(openedFrom === LAYOUT ? [] : [`its layout from ${openedFrom} to ${LAYOUT}`]),
    ...(ran.length === 0 || isNew ? [] : [`its database by ${ran.length} changes`]),
  ];
  if (changes.length > 0)
    say(
      `The data directory of an older version was brought up to date: ${changes.join(', ')}. Older versions cannot use it any more.`,
    );
  return database;
};

/** Starts the database, brings its schemas up to date, and sets the relay and the upkeep going. */
export const openEmbeddedEngines = async (
  directory: DataDirectory,
  { environment, say }: { readonly environment: StartEnvironment; readonly say: Say },
  opened: Opened,
): Promise<Engines> => {
  const destination = pino.destination({ dest: directory.log, mkdir: true, sync: false });
  const logger = createLogger({ service: 'standalone', level: environment.logLevel, destination });
  const database = await openDatabase(directory, { logger, say }, opened);
  const failpoints = Failpoints.from(failpointOfLife(environment.failpoint, 'root', 1) ?? null);
  const metrics = new Metrics('standalone');
  const connection = database.connection(RELAY_ROLE, 'background');
  const relay = new EmbeddedRelay({ connection, logger, metrics, failpoints });
  await relay.start();
  opened.add(() => relay.stop());
  let lastRequestAt = Date.now();
  const maintenance = new Maintenance({
    connection: (role) => database.connection(role),
    lastRequestAt: () => lastRequestAt,
    logger,
  });
  maintenance.start();
  opened.add(() => maintenance.stop());
  return { database, logger, metrics, asked: () => (lastRequestAt = Date.now()) };
};
