import { pino } from 'pino';
import { services } from '@acervo/contracts';
import { type DatabaseProcess, EmbeddedDatabase, type EngineRuns, RELAY_ROLE } from '@acervo/platform-database';
import { EmbeddedRelay, failpointOfLife, Failpoints } from '@acervo/platform-messaging';
import { createLogger, type Logger, Metrics } from '@acervo/platform-observability';
import { migrateAll, migrationsOf } from '@acervo/platform-service';
import type { DataDirectory } from './data-directory';
import type { Print } from '../kernel/print';
import { engineRunsCounter } from '../kernel/engine-runs';
import { EMBEDDED, LAYOUT } from './layout';
import { Maintenance } from './maintenance';
import type { Opened } from '../kernel/opened';
import type { StartEnvironment } from '../kernel/options';
import { installedServices } from '../kernel/service-list';

/** The engines that all services of this machine share. */
export interface Resources {
  /** Connections of the roles. */
  readonly database: Pick<EmbeddedDatabase, 'connection'> & Partial<Pick<EmbeddedDatabase, 'copyInto'>>;
  readonly logger: Logger;
  /** Metrics of this program itself. */
  readonly metrics: Metrics;
  /** Records a request: maintenance waits for a quiet time. */
  asked(): void;
}

/** What the engines of a start are opened with. */
export interface ResourcesRequest {
  readonly environment: StartEnvironment;
  readonly print: Print;
  /** A process that already opens the embedded database. */
  readonly process?: DatabaseProcess | undefined;
}

export const migrations = Object.fromEntries(installedServices.map((service) => [service.name, service.migrations]));

/** Changes of the database schemas that this program knows, by name. */
export const knownMigrations: readonly string[] = services.flatMap((service) =>
  migrationsOf(service, migrations[service]).map((Migration) => `${service}.${String(new Migration().name)}`),
);

const openDatabase = async (
  directory: DataDirectory,
  {
    logger,
    onRuns,
    print,
    process,
  }: Pick<ResourcesRequest, 'print' | 'process'> &
    Pick<Resources, 'logger'> & { readonly onRuns: (increase: EngineRuns) => void },
  opened: Opened,
): Promise<EmbeddedDatabase> => {
  const database = await EmbeddedDatabase.start({
    directory: directory.database,
    ...(process === undefined ? {} : { process }),
    log: (event, details) => logger.warn({ event, details }, 'database'),
    onRuns,
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
    print(
      `The data directory of an older version was brought up to date: ${changes.join(', ')}. Older versions cannot use it any more.`,
    );
  return database;
};

/** Starts the database, upgrades its schemas, and starts the relay and the maintenance. */
export const openEmbeddedResources = async (
  directory: DataDirectory,
  { environment, print, process }: ResourcesRequest,
  opened: Opened,
): Promise<Resources> => {
  const destination = pino.destination({ dest: directory.log, mkdir: true, sync: false });
  const logger = createLogger({ service: 'standalone', level: environment.logLevel, destination });
  const metrics = new Metrics('standalone');
  const count = engineRunsCounter(metrics);
  let statements = 0;
  const onRuns = (increase: EngineRuns): void => {
    count(increase);
    statements += increase.statements;
  };
  const database = await openDatabase(directory, { logger, onRuns, print, process }, opened);
  const failpoints = Failpoints.from(failpointOfLife(environment.failpoint, 'root', 1) ?? null);
  const connection = database.connection(RELAY_ROLE, 'background');
  const relay = new EmbeddedRelay(connection, logger, metrics, failpoints);
  await relay.start();
  opened.add(() => relay.stop());
  let lastRequestAt = Date.now();
  const maintenance = new Maintenance({
    connection: (role) => database.connection(role),
    lastRequestAt: () => lastRequestAt,
    statements: () => statements,
    logger,
  });
  maintenance.start();
  opened.add(() => maintenance.stop());
  return { database, logger, metrics, asked: () => (lastRequestAt = Date.now()) };
};
