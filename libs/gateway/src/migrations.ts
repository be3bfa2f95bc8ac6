import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** Published releases belong to the installation and to no group. A row is written once and never changes. */
const releaseTable = (name: string, columns: string): string => `
create table gateway.${name} (version text collate "C" primary key, major int not null, minor int not null, patch int not null,
  is_pre_release boolean not null, published_at timestamptz not null, notes text not null, ${columns});
create index ${name}_newest on gateway.${name} (major desc, minor desc, patch desc) where not is_pre_release;
grant select, insert on gateway.${name} to gateway_app;`;

const releases = `
${releaseTable('cloud_release', 'oldest_client text not null, commit text not null')}
${releaseTable(
  'client_release',
  'oldest_compatible text not null, is_mandatory boolean not null, macos_url text, windows_url text',
)}
`;

export const gatewayMigrations: readonly MigrationClass[] = [
  sqlMigration('GatewayReleases1797100000010', releases, { kind: 'expand' }),
];

/** Tables that belong to no group. */
export const gatewaySharedTables = ['cloud_release', 'client_release'] as const;
