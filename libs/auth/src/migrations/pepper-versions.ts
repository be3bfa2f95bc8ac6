import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** Since when a version of the key pepper makes new hashes, of all groups. */
export const pepperVersionMigrations: readonly MigrationClass[] = [
  sqlMigration(
    'AuthPepperVersions1797100000100',
    `create table auth.pepper_version (version int primary key, current_since timestamptz not null default now());
grant select, insert on auth.pepper_version to auth_app;`,
    { kind: 'expand' },
  ),
];

export const pepperVersionSharedTables = ['pepper_version'] as const;
