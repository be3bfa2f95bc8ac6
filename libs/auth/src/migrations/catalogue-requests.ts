import { CATALOGUE_ROLE, type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The login of the catalogue records requests with an idempotency key, in the transaction of their effect. */
export const catalogueRequestMigrations: readonly MigrationClass[] = [
  sqlMigration('CatalogueRequests1796000000200', `grant select, insert on auth.inbox to ${CATALOGUE_ROLE};`),
];
