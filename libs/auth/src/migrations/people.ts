import {
  CATALOGUE_ROLE,
  DIRECTORY_ROLE,
  type MigrationClass,
  sqlMigration,
  tenantTable,
} from '@acervo/platform-database';
import { catalogueSeeds } from '../function-catalogue/seed';

/** Directories: one row a person and one a group, found by code before a group is known. Triggers maintain them. */
const directories = `
create table auth.group_directory (code text primary key, group_id uuid not null unique references auth.tenant_group on delete cascade,
  name text not null);
${tenantTable('auth', 'group_directory', 'select, insert, update')}
create policy directory_reads on auth.group_directory for select to ${DIRECTORY_ROLE} using (true);
grant select on auth.group_directory to ${DIRECTORY_ROLE};

create table auth.login_directory (email text primary key check (email = lower(email)), group_id uuid not null, user_id uuid not null,
  name text not null, state text not null, unique (group_id, user_id),
  foreign key (group_id, user_id) references auth.app_user (group_id, user_id) on delete cascade);
${tenantTable('auth', 'login_directory', 'select, insert, update')}
create policy directory_reads on auth.login_directory for select to ${DIRECTORY_ROLE} using (true);
grant select on auth.login_directory to ${DIRECTORY_ROLE};

-- What was there before has its rows too. The owner is bound by row security like everybody, so it is lifted for this.
alter table auth.tenant_group no force row level security;
alter table auth.app_user no force row level security;
alter table auth.group_directory no force row level security;
alter table auth.login_directory no force row level security;
update auth.app_user set email = lower(email) where email <> lower(email);
insert into auth.group_directory (code, group_id, name) select code, group_id, name from auth.tenant_group;
insert into auth.login_directory (email, group_id, user_id, name, state) select lower(email), group_id, user_id, name, state from auth.app_user;
alter table auth.tenant_group force row level security;
alter table auth.app_user force row level security;
alter table auth.group_directory force row level security;
alter table auth.login_directory force row level security;

create function auth.keep_group_directory() returns trigger language plpgsql as $body$
begin
  insert into auth.group_directory (code, group_id, name) values (new.code, new.group_id, new.name)
    on conflict (group_id) do update set code = excluded.code, name = excluded.name;
  return new;
end $body$;
create trigger keep_directory after insert or update of code, name on auth.tenant_group
  for each row execute function auth.keep_group_directory();

-- An address is one address however it is typed.
create function auth.lower_address() returns trigger language plpgsql as $body$
begin
  new.email = lower(new.email);
  return new;
end $body$;
create trigger lower_address before insert or update of email on auth.app_user
  for each row execute function auth.lower_address();

create function auth.keep_login_directory() returns trigger language plpgsql as $body$
begin
  insert into auth.login_directory (email, group_id, user_id, name, state)
    values (lower(new.email), new.group_id, new.user_id, new.name, new.state)
    on conflict (group_id, user_id) do update set email = excluded.email, name = excluded.name, state = excluded.state;
  return new;
end $body$;
create trigger keep_directory after insert or update of email, name, state on auth.app_user
  for each row execute function auth.keep_login_directory();
`;

/**
 * The start of a person: entity, area, application; and, for a SYSTEM user, another group and a role of it. The codes
 * are copies from the time of the choice, because rows of another group cannot be read from this one.
 */
const defaults = `
alter table auth.app_user add column default_group_id uuid, add column default_group_code text, add column default_role_id int,
  add column default_role_code text, add column default_entity text, add column default_area text, add column default_application text;
`;

/** Roles and functions gain an order, applications and a document. */
const catalogue = `
alter table auth.global_role add column position int not null default 0, add column description text not null default '',
  add column document text, add column documented_at timestamptz, add column edited boolean not null default false;
create sequence auth.global_role_number as int start 100 maxvalue 9999;
alter table auth.global_function add column alias text not null default '', add column description text not null default '',
  add column summary text not null default '', add column url text not null default '', add column position int not null default 0,
  add column profile text not null default 'ADMINISTRADOR' check (profile in ('USUARIO', 'ADMINISTRADOR', 'SISTEMA')),
  add column sections jsonb not null default '[]', add column behaviours jsonb not null default '[]',
  add column document text, add column documented_at timestamptz, add column edited boolean not null default false;
alter table auth.global_role_function add column position int not null default 0;
create table auth.global_application (code text primary key, name text not null, position int not null default 0);
create table auth.global_function_application (function_code text not null references auth.global_function on delete cascade,
  application_code text not null references auth.global_application on delete cascade, primary key (function_code, application_code));
create table auth.global_role_application (role_id int not null references auth.global_role on delete cascade,
  application_code text not null references auth.global_application on delete cascade, primary key (role_id, application_code));
alter table auth.global_role_function drop constraint global_role_function_role_id_fkey,
  drop constraint global_role_function_function_code_fkey,
  add foreign key (role_id) references auth.global_role on delete cascade,
  add foreign key (function_code) references auth.global_function on delete cascade;
grant select on auth.global_application, auth.global_function_application, auth.global_role_application to auth_app;
grant select, insert, update, delete on auth.global_role, auth.global_function, auth.global_role_function, auth.global_application,
  auth.global_function_application, auth.global_role_application to ${CATALOGUE_ROLE};
grant usage on sequence auth.global_role_number to ${CATALOGUE_ROLE};
grant insert on auth.outbox to ${CATALOGUE_ROLE};

alter table auth.group_role add column position int not null default 0, add column description text not null default '',
  add column document text, add column documented_at timestamptz;
alter table auth.group_role_function add column position int not null default 0;
create table auth.group_role_application (group_id uuid not null, role_id int not null, application_code text not null,
  primary key (group_id, role_id, application_code),
  foreign key (group_id, role_id) references auth.group_role (group_id, role_id) on delete cascade);
${tenantTable('auth', 'group_role_application')}

-- A function or an application that is gone is gone from the roles of every group.
create or replace view auth.role_list with (security_invoker = true) as
  select null::uuid as group_id, role_id, code, name, profile, position, description, document, documented_at from auth.global_role
  union all select group_id, role_id, code, name, profile, position, description, document, documented_at from auth.group_role;
create or replace view auth.role_function_list with (security_invoker = true) as
  select role_id, function_code, null::uuid as group_id, position from auth.global_role_function
  union all select r.role_id, r.function_code, r.group_id, r.position from auth.group_role_function r
    join auth.global_function f on f.code = r.function_code;
create view auth.role_application_list with (security_invoker = true) as
  select role_id, application_code, null::uuid as group_id from auth.global_role_application
  union all select r.role_id, r.application_code, r.group_id from auth.group_role_application r
    join auth.global_application a on a.code = r.application_code;
grant select on auth.role_application_list to auth_app;
`;

/** Tables of people, roles and functions, added to those of the first migration. */
export const peopleMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthPeople1760000004000', directories + defaults + catalogue),
  ...catalogueSeeds,
];

/** The tables without a group. The directories have their own row security, with one reader of all rows. */
export const peopleSharedTables = [
  'group_directory',
  'login_directory',
  'global_application',
  'global_function_application',
  'global_role_application',
  'global_function_api',
] as const;
