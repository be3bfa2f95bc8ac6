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
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { DirectoryObjectStore, type ObjectStore } from '@acervo/platform-object-store';
import type { Logger } from '@acervo/platform-observability';
import { Doorbells, Tasks } from '@acervo/platform-queue';
import type { ServiceName } from '@acervo/contracts';
import type { DatabaseConfig } from './database-config';
import type { ServiceConfig } from './service-config';

/** The engines of one service, each behind the one door that its code may use. */
export interface Engines {
  /** For requests that somebody waits for. */
  readonly database: Database;
  /** The same database for consumers and stages, which wait for requests. */
  readonly background: Database;
  readonly provisioner: Provisioner;
  readonly outbox: Outbox;
  readonly tasks: Tasks;
  readonly doorbells: Doorbells;
  readonly objects: ObjectStore;
  readonly failpoints: Failpoints;
}

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

export const openEngines = (service: ServiceName, config: ServiceConfig, logger: Logger): Engines => {
  const app = connectionOf(config, appRole(service), config.appPassword);
  const background = new Database({ ...app, lane: 'background', max: config.stageConcurrency + 2 });
  return {
    database: new Database({ ...app, max: config.databasePool }),
    background,
    provisioner: new Provisioner(connectionOf(config, ownerRole(service), config.ownerPassword)),
    outbox: new Outbox(service),
    tasks: new Tasks(service, background),
    doorbells: new Doorbells({ service, logger, connection: connectionOf(config, QUEUE_ROLE, config.queuePassword) }),
    objects: new DirectoryObjectStore(config.objectsDirectory),
    failpoints: Failpoints.from(config.failpoint),
  };
};

export const closeEngines = async ({ doorbells, provisioner, database, background }: Engines): Promise<void> => {
  await doorbells.close();
  await Promise.all([provisioner.close(), database.close(), background.close()]);
};

export const reconcilerConnection = (service: ServiceName, config: ServiceConfig): DatabaseConnection =>
  connectionOf(config, reconcilerRole(service), config.reconcilerPassword);
