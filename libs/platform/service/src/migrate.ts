import { keyMigration } from '@acervo/platform-calls';
import { type ServiceName, services } from '@acervo/contracts';
import {
  type DatabaseConnection,
  type MigrationClass,
  ownerRole,
  QUEUE_ROLE,
  runMigrations,
} from '@acervo/platform-database';
import { messagingMigrations } from '@acervo/platform-messaging';
import { migrateQueue, taskMigrations } from '@acervo/platform-queue';

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

/**
 * Migrates every schema, also of services that do not run yet: events published for them wait in their tables.
 * @param only these schemas alone
 */
export const migrateAll = async (
  serviceMigrations: Partial<Record<ServiceName, readonly MigrationClass[]>>,
  connection: (role: string) => DatabaseConnection,
  only: readonly ServiceName[] = services,
): Promise<string[]> => {
  const ran: string[] = [];
  for (const service of only) {
    const names = await runMigrations(
      connection(ownerRole(service)),
      service,
      migrationsOf(service, serviceMigrations[service]),
    );
    ran.push(...names.map((name) => `${service}.${name}`));
  }
  await migrateQueue(connection(QUEUE_ROLE));
  return ran;
};
