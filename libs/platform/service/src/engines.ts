import { readFileSync } from 'node:fs';
import {
  appRole,
  Database,
  type DatabaseConnection,
  ownerRole,
  Provisioner,
  QUEUE_ROLE,
  reconcilerRole,
} from '@acervo/platform-database';
import { type Counters, PostgresCounters, RedisCounters } from '@acervo/platform-counters';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { DirectoryObjectStore, type ObjectStore, S3ObjectStore } from '@acervo/platform-object-store';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { Doorbells, type JobBackend, PostgresJobs, RedisJobs, Tasks } from '@acervo/platform-queue';
import { RedisClient } from '@acervo/platform-redis';
import type { ServiceName } from '@acervo/contracts';
import { CountersConfig } from './counters-config';
import type { DatabaseConfig } from './database-config';
import { ObjectStoreConfig } from './object-store-config';
import { redisSettings } from './redis-config';
import type { ServiceConfig } from './service-config';

/** The engines of one service, each behind the one door that its code may use. */
export interface Engines {
  /** For requests that somebody waits for. */
  readonly database: Database;
  /** The same database for events on their way, which go before the work that they lead to. */
  readonly courier: Database;
  /** The same database for stages, which wait for requests and for events. */
  readonly background: Database;
  readonly provisioner: Provisioner;
  readonly outbox: Outbox;
  readonly tasks: Tasks;
  readonly doorbells: Doorbells;
  /** Counts of a service whose settings name them; where they are in the database its schema needs their table. */
  readonly counters?: Counters;
  /** Where the configuration says that something is kept there. */
  readonly redis: RedisClient | null;
  /** Objects of a service whose settings name them. */
  readonly objects?: ObjectStore;
  readonly failpoints: Failpoints;
}

/** The engines of a service with these settings: it has what they name, and nothing else is opened for it. */
export type EnginesOf<C extends ServiceConfig> = Engines &
  (C extends CountersConfig ? { readonly counters: Counters } : unknown) &
  (C extends ObjectStoreConfig ? { readonly objects: ObjectStore } : unknown);

/** Where a role of the service logs in. */
export const connectionOf = (config: DatabaseConfig, user: string, password: string): DatabaseConnection => ({
  host: config.databaseHost,
  port: config.databasePort,
  database: config.databaseName,
  user,
  password,
  ...(config.databaseTls
    ? { tls: config.databaseCa === null ? {} : { ca: readFileSync(config.databaseCa, 'utf8') } }
    : {}),
});

const openObjects = (config: ObjectStoreConfig, metrics: Metrics): ObjectStore =>
  config.objectStore === 's3'
    ? new S3ObjectStore(
        {
          endpoint: config.s3Endpoint,
          region: config.s3Region,
          bucket: config.s3Bucket,
          accessKey: config.s3AccessKey,
          secretKey: config.s3SecretKey,
          makesBucket: config.s3MakesBucket,
        },
        metrics,
      )
    : new DirectoryObjectStore(config.objectsDirectory);

const countsInRedis = (config: ServiceConfig): boolean =>
  config instanceof CountersConfig && config.counters === 'redis';

const openRedis = (config: ServiceConfig): RedisClient | null =>
  config.queue === 'redis' || countsInRedis(config) ? new RedisClient(redisSettings(config)) : null;

const openJobs = (config: ServiceConfig, redis: RedisClient | null): JobBackend =>
  config.queue === 'redis' && redis !== null
    ? new RedisJobs(redis)
    : new PostgresJobs(connectionOf(config, QUEUE_ROLE, config.queuePassword));

const openCounters = (
  service: ServiceName,
  { counters }: CountersConfig,
  { redis, database }: Pick<Engines, 'redis' | 'database'>,
): Counters =>
  counters === 'redis' && redis !== null ? new RedisCounters(redis, service) : new PostgresCounters(database, service);

export const openEngines = <C extends ServiceConfig>(
  service: ServiceName,
  config: Readonly<C>,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): EnginesOf<C> => {
  const app = connectionOf(config, appRole(service), config.appPassword);
  const database = new Database({ ...app, max: config.databasePool });
  const redis = openRedis(config);
  const background = new Database({ ...app, lane: 'background', max: config.stageConcurrency + 2 }, database);
  const engines: Engines = {
    database,
    courier: new Database({ ...app, lane: 'courier', max: 3 }),
    background,
    provisioner: new Provisioner(connectionOf(config, ownerRole(service), config.ownerPassword)),
    outbox: new Outbox(service),
    tasks: new Tasks(service, background),
    doorbells: new Doorbells({ service, logger, jobs: openJobs(config, redis) }),
    ...(config instanceof CountersConfig ? { counters: openCounters(service, config, { redis, database }) } : {}),
    redis,
    ...(config instanceof ObjectStoreConfig ? { objects: openObjects(config, metrics) } : {}),
    failpoints: Failpoints.from(config.failpoint),
  };
  // Which of them are there was asked of the class of the settings, as the type does.
  return engines as EnginesOf<C>;
};

/** Proves that engines which could lose what they are given do not. @throws and the service does not start. */
export const assertEngines = async ({ redis }: Engines): Promise<void> => {
  await redis?.assertDurable();
};

export const closeEngines = async ({
  doorbells,
  provisioner,
  database,
  background,
  courier,
  objects,
  redis,
}: Engines): Promise<void> => {
  await doorbells.close();
  redis?.close();
  await Promise.all([provisioner.close(), database.close(), background.close(), courier.close()]);
  objects?.close();
};

export const reconcilerConnection = (service: ServiceName, config: ServiceConfig): DatabaseConnection =>
  connectionOf(config, reconcilerRole(service), config.reconcilerPassword);
