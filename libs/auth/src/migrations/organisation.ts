import { type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';

/** Constraints: a parent lies within its entity, and the area of a user within an entity of that user. */
const trees = `
create unique index area_of_entity on auth.area (group_id, entity_code, code);
alter table auth.area add constraint area_parent_within_entity
  foreign key (group_id, entity_code, parent_code) references auth.area (group_id, entity_code, code);
alter table auth.user_entity add constraint user_area_within_entity
  foreign key (group_id, entity_code, area_code) references auth.area (group_id, entity_code, code);
create index area_below on auth.area (group_id, parent_code);
create index user_entity_entity on auth.user_entity (group_id, entity_code, area_code);
`;

/** The four texts that describe the organisation. Empty: not written yet. */
const texts = `
alter table auth.tenant_group add column description text not null default '', add column system_prompt text not null default '';
alter table auth.entity add column description text not null default '', add column system_prompt text not null default '';
`;

/** Parameters that a group has set; all others have their default. Private ones are sealed. */
const parameters = `
create table auth.group_parameter (group_id uuid not null references auth.tenant_group, code text not null, value text, sealed bytea,
  updated_at timestamptz not null default now(), primary key (group_id, code), check ((value is null) <> (sealed is null)));
${tenantTable('auth', 'group_parameter')}
`;

/** A deleted folder is unlinked from its areas. */
const linksByFolder = `create index area_location_folder on auth.area_location (group_id, location_code);`;

/** Tables of the organisation, added to those of the first migration. */
export const organisationMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthOrganisation1760000140000', trees + texts + parameters),
  sqlMigration('AuthLinksByFolder1790000200000', linksByFolder),
];
