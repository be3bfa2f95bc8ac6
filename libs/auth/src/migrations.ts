import { screens } from '@acervo/contracts';
import { exportPagesMigration, type MigrationClass, sqlMigration, tenantTable } from '@acervo/platform-database';
import { GROUP_ADMIN } from './kernel/built-in-roles';
import { foldedAddresses } from './migrations/addresses';
import { catalogueRequestMigrations } from './migrations/catalogue-requests';
import { confirmedAddresses } from './migrations/confirmed-addresses';
import { focusMigrations } from './migrations/focus';
import { functionEdgeMigrations } from './migrations/function-edges';
import { functionViewMigrations, functionViewSharedTables } from './migrations/function-views';
import { identityMigrations, identitySharedTables } from './migrations/identity';
import { keyUse } from './migrations/key-use';
import { mailOutboxMigrations, mailSharedTables, mailTurnMigrations } from './migrations/mail-outbox';
import { organisationMigrations } from './migrations/organisation';
import { peopleMigrations, peopleSharedTables } from './migrations/people';
import { pepperVersionMigrations, pepperVersionSharedTables } from './migrations/pepper-versions';
import { requestRateMigrations, requestRateSharedTables } from './migrations/request-rates';
import { userDeletions } from './migrations/user-deletions';

const grantRead = (table: string): string => `grant select on auth.${table} to auth_app;`;

const first = `
create table auth.installation (id int primary key check (id = 1), group_id uuid not null);
grant select, insert on auth.installation to auth_app;

create table auth.global_role (role_id int primary key check (role_id between 1 and 9999), code text not null unique, name text not null,
  profile text not null check (profile in ('USUARIO', 'ADMINISTRADOR', 'SISTEMA')));
create table auth.global_function (code text primary key, name text not null);
create table auth.global_role_function (role_id int not null references auth.global_role, function_code text not null references auth.global_function,
  primary key (role_id, function_code));
${['global_role', 'global_function', 'global_role_function'].map(grantRead).join('\n')}
insert into auth.global_role values (${GROUP_ADMIN.id}, '${GROUP_ADMIN.code}', 'Administrador del grupo', 'ADMINISTRADOR');
insert into auth.global_function (code, name) values ${screens.map((code) => `('${code}', '${code}')`).join(', ')};
insert into auth.global_role_function select ${GROUP_ADMIN.id}, code from auth.global_function;

create table auth.tenant_group (group_id uuid primary key, code text not null, name text not null, created_at timestamptz not null default now());
${tenantTable('auth', 'tenant_group')}
create table auth.counter (group_id uuid not null, name text not null, value int not null, primary key (group_id, name));
${tenantTable('auth', 'counter')}
create table auth.entity (group_id uuid not null references auth.tenant_group, code text not null, name text not null, primary key (group_id, code));
${tenantTable('auth', 'entity')}
create table auth.area (group_id uuid not null, code text not null, entity_code text not null, parent_code text, name text not null,
  primary key (group_id, code),
  foreign key (group_id, entity_code) references auth.entity (group_id, code),
  foreign key (group_id, parent_code) references auth.area (group_id, code));
${tenantTable('auth', 'area')}
create table auth.area_location (group_id uuid not null, area_code text not null, location_code text not null,
  primary key (group_id, area_code, location_code),
  foreign key (group_id, area_code) references auth.area (group_id, code) on delete cascade);
${tenantTable('auth', 'area_location')}

create table auth.app_user (group_id uuid not null references auth.tenant_group, user_id uuid not null default uuidv7(), email text not null,
  name text not null, state text not null default 'ACTIVO' check (state in ('ACTIVO', 'INACTIVO', 'PENDIENTE')),
  created_at timestamptz not null default now(), primary key (group_id, user_id), unique (group_id, email));
${tenantTable('auth', 'app_user')}
create table auth.group_role (group_id uuid not null references auth.tenant_group, role_id int not null check (role_id >= 10000), code text not null,
  name text not null, profile text not null check (profile in ('USUARIO', 'ADMINISTRADOR')), primary key (group_id, role_id), unique (group_id, code));
${tenantTable('auth', 'group_role')}
create table auth.group_role_function (group_id uuid not null, role_id int not null, function_code text not null,
  primary key (group_id, role_id, function_code), foreign key (group_id, role_id) references auth.group_role (group_id, role_id) on delete cascade);
${tenantTable('auth', 'group_role_function')}
create table auth.user_role (group_id uuid not null, user_id uuid not null, role_id int not null, position int not null default 0,
  primary key (group_id, user_id, role_id), foreign key (group_id, user_id) references auth.app_user (group_id, user_id) on delete cascade);
${tenantTable('auth', 'user_role')}
create table auth.user_entity (group_id uuid not null, user_id uuid not null, entity_code text not null, area_code text,
  primary key (group_id, user_id, entity_code),
  foreign key (group_id, user_id) references auth.app_user (group_id, user_id) on delete cascade,
  foreign key (group_id, entity_code) references auth.entity (group_id, code),
  foreign key (group_id, area_code) references auth.area (group_id, code));
${tenantTable('auth', 'user_entity')}

create table auth.api_key (group_id uuid not null, key_id text not null, user_id uuid not null, role_id int not null, name text not null,
  created_by uuid not null, pepper_version int not null, secret_hash bytea not null, created_at timestamptz not null default now(), revoked_at timestamptz,
  fixed_entity text, fixed_area text, active_entity text, active_area text,
  primary key (group_id, key_id), foreign key (group_id, user_id) references auth.app_user (group_id, user_id) on delete cascade);
${tenantTable('auth', 'api_key')}

-- Roles of both kinds as one list: the global ones for every group, and the group's own.
create view auth.role_list with (security_invoker = true) as
  select null::uuid as group_id, role_id, code, name, profile from auth.global_role
  union all select group_id, role_id, code, name, profile from auth.group_role;
create view auth.role_function_list with (security_invoker = true) as
  select role_id, function_code from auth.global_role_function
  union all select role_id, function_code from auth.group_role_function;
grant select on auth.role_list, auth.role_function_list to auth_app;
`;

export const authMigrations: readonly MigrationClass[] = [
  sqlMigration('Auth1760000002000', first),
  ...peopleMigrations,
  ...identityMigrations,
  ...organisationMigrations,
  ...focusMigrations,
  ...functionEdgeMigrations,
  ...requestRateMigrations,
  foldedAddresses,
  ...mailOutboxMigrations,
  confirmedAddresses,
  userDeletions,
  exportPagesMigration('auth'),
  ...catalogueRequestMigrations,
  ...pepperVersionMigrations,
  ...functionViewMigrations,
  ...mailTurnMigrations,
  keyUse,
];

/** Tables of this service that belong to no group. */
export const authSharedTables = [
  'installation',
  'global_role',
  'global_function',
  'global_role_function',
  ...peopleSharedTables,
  ...identitySharedTables,
  ...mailSharedTables,
  ...requestRateSharedTables,
  ...pepperVersionSharedTables,
  ...functionViewSharedTables,
] as const;
