import { keyMigration } from '@acervo/platform-calls';
import { type ServiceName, services } from '@acervo/contracts';
import {
  type DatabaseConnection,
  isMigrated,
  type MigrationClass,
  ownerRole,
  QUEUE_ROLE,
  ranMigrations,
  runMigrations,
} from '@acervo/platform-database';
import { messagingMigrations } from '@acervo/platform-messaging';
import { migrateQueue, taskMigrations } from '@acervo/platform-queue';
import { assertCompatible } from './schema-compatibility';

/** All migrations of a schema: messaging first, then work, the tables of the service, its keys. */
export const migrationsOf = (
  service: ServiceName,
  serviceMigrations: readonly MigrationClass[] = [],
): readonly MigrationClass[] => [
  ...messagingMigrations(service),
  ...taskMigrations(service),
  ...serviceMigrations,
  keyMigration(service),
];

const migrateOne = async (
  service: ServiceName,
  owner: DatabaseConnection,
  migrations: readonly MigrationClass[],
): Promise<string[]> => {
  const expected = migrations.map((Migration) => new Migration().name);
  assertCompatible(service, expected, await ranMigrations(owner, service));
  const names = await runMigrations(owner, service, migrations);
  return names.map((name) => `${service}.${name}`);
};

/**
 * Migrates every schema, also of services that do not run yet: events published for them wait in their tables.
 * @param only these schemas alone
 * @throws SchemaUnfit where a newer version has contracted a schema that this one would migrate
 */
export const migrateAll = async (
  serviceMigrations: Partial<Record<ServiceName, readonly MigrationClass[]>>,
  connection: (role: string) => DatabaseConnection,
  only: readonly ServiceName[] = services,
): Promise<string[]> => {
  const migrations = (service: ServiceName): readonly MigrationClass[] =>
    migrationsOf(service, serviceMigrations[service]);
  const owner = (service: ServiceName): DatabaseConnection => connection(ownerRole(service));
  // Most starts find every schema migrated: these are asked at once, and only the others wait for each other.
  const [areMigrated] = await Promise.all([
    Promise.all(only.map((service) => isMigrated(owner(service), service, migrations(service)))),
    migrateQueue(connection(QUEUE_ROLE)),
  ]);
  const ran: string[] = [];
  for (const service of only.filter((_, index) => areMigrated[index] !== true))
    ran.push(...(await migrateOne(service, owner(service), migrations(service))));
  return ran;
};
