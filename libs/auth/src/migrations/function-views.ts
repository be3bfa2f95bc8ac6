import { CATALOGUE_ROLE, type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** What the last analysis of each function found, and its view as a parse tree. */
const tables = `
create table auth.global_function_analysis (function_code text primary key references auth.global_function on delete cascade,
  report jsonb not null, analysed_at timestamptz not null default now());
create table auth.global_function_view (function_code text primary key references auth.global_function on delete cascade,
  tree jsonb not null, generated_at timestamptz not null default now(), synced_at timestamptz);
grant select on auth.global_function_analysis, auth.global_function_view to auth_app;
grant select, insert, update on auth.global_function_analysis, auth.global_function_view to ${CATALOGUE_ROLE};
`;

const GROUP = `nullif(current_setting('app.group_id', true), '')::uuid`;
const PUBLISHED = 'with (security_invoker = true, security_barrier = true) as';
const VISIBLE_ROLE = `(r.group_id is null or r.group_id = ${GROUP}) and ${GROUP} is not null`;

/**
 * What views of functions read. Each relation is restricted to the group of its reader; without a group it is empty. A
 * function is in it where some role of the group gives it.
 */
const relations = `
create view auth.published_function ${PUBLISHED}
  select f.code, f.name, f.alias, f.description, f.url, f.profile, f.position from auth.global_function f
  where exists (select from auth.role_function_list r where r.function_code = f.code and ${VISIBLE_ROLE});
create view auth.published_function_operation ${PUBLISHED}
  select a.function_code, a.api_code as operation_code from auth.global_function_api a
  where exists (select from auth.published_function f where f.code = a.function_code);
create view auth.published_function_application ${PUBLISHED}
  select fa.function_code, fa.application_code, a.name as application_name
  from auth.global_function_application fa join auth.global_application a on a.code = fa.application_code
  where exists (select from auth.published_function f where f.code = fa.function_code);
create view auth.published_function_role ${PUBLISHED}
  select rf.function_code, r.role_id, r.code as role_code, r.name as role_name
  from auth.role_function_list rf join auth.role_list r on r.role_id = rf.role_id and r.group_id is not distinct from rf.group_id
  where ${VISIBLE_ROLE} and (rf.group_id is null or rf.group_id = ${GROUP});
create view auth.published_entity ${PUBLISHED}
  select e.code, e.name from auth.entity e where e.group_id = ${GROUP};
create view auth.published_area ${PUBLISHED}
  select a.code, a.entity_code, a.parent_code, a.name from auth.area a where a.group_id = ${GROUP};
grant select on auth.published_function, auth.published_function_operation, auth.published_function_application,
  auth.published_function_role, auth.published_entity, auth.published_area to auth_app;
`;

export const functionViewMigrations: readonly MigrationClass[] = [
  sqlMigration('AuthFunctionViews1799400000100', tables, { kind: 'expand' }),
  sqlMigration('AuthPublishedRelations1799400000200', relations, { kind: 'expand' }),
];

export const functionViewSharedTables = ['global_function_analysis', 'global_function_view'] as const;
