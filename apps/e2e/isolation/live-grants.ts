import { services } from '@acervo/contracts';
import { keyTables } from '@acervo/platform-calls';
import { CATALOGUE_ROLE, DIRECTORY_ROLE, loginRoles, RELAY_ROLE } from '@acervo/platform-database';
import type { Installation } from './installation';

/** Privileges on the tables of each service that belong to no group: `APP` is the role of the service. */
const ofEach: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  // A writer of events cannot read other events.
  ['outbox', { APP: 'INSERT', RELAY: 'DELETE, SELECT', [RELAY_ROLE]: 'DELETE, SELECT' }],
  ['outbox_lane', { RELAY: 'SELECT, UPDATE', [RELAY_ROLE]: 'SELECT, UPDATE' }],
  ['incoming', { APP: 'DELETE, INSERT, SELECT, UPDATE', [RELAY_ROLE]: 'INSERT' }],
  ['consumer_lease', { APP: 'SELECT, UPDATE' }],
  ['inbox', { APP: 'DELETE, INSERT, SELECT' }],
  ['dead_letter', { APP: 'DELETE, INSERT, SELECT' }],
  ['parked_key', { APP: 'DELETE, INSERT, SELECT' }],
  ...keyTables.map((name) => [name, { APP: 'DELETE, INSERT, SELECT, UPDATE' }] as const),
  // Finds waiting tasks of all groups.
  ['task', { RECONCILER: 'SELECT of group_id, leased_until, not_before, stage, status, updated_at' }],
];

const writes = 'DELETE, INSERT, SELECT, UPDATE';
/** The catalogue of the product: auth reads it, and a separate login writes it. */
const catalogue = (name: string): readonly [string, Readonly<Record<string, string>>] => [
  name,
  { APP: 'SELECT', [CATALOGUE_ROLE]: writes },
];

const ofAuth: typeof ofEach = [
  ['outbox', { APP: 'INSERT', RELAY: 'DELETE, SELECT', [RELAY_ROLE]: 'DELETE, SELECT', [CATALOGUE_ROLE]: 'INSERT' }],
  ['inbox', { APP: 'DELETE, INSERT, SELECT', [CATALOGUE_ROLE]: 'INSERT, SELECT' }],
  ['global_function_api', { APP: 'SELECT', [CATALOGUE_ROLE]: 'DELETE, INSERT, SELECT' }],
  ...['analysis', 'view'].map(
    (name) => [`global_function_${name}`, { APP: 'SELECT', [CATALOGUE_ROLE]: 'INSERT, SELECT, UPDATE' }] as const,
  ),
  ['installation', { APP: 'INSERT, SELECT' }],
  ['group_directory', { [DIRECTORY_ROLE]: 'SELECT' }],
  ['login_directory', { [DIRECTORY_ROLE]: 'SELECT' }],
  ...['role', 'function', 'role_function', 'application', 'function_application', 'role_application'].map((name) =>
    catalogue(`global_${name}`),
  ),
];

/** A release is written once. */
const ofGateway: typeof ofEach = ['cloud_release', 'client_release'].map((name) => [name, { APP: 'INSERT, SELECT' }]);

const ofOperations: typeof ofEach = [['plan', { APP: 'INSERT, SELECT' }]];

const ofSchema: Readonly<Record<string, typeof ofEach>> = {
  ...{ auth: ofAuth, gateway: ofGateway, operations: ofOperations },
};

const NOT_IN_QUESTION = new Set(['DELETE', 'INSERT', 'SELECT', 'UPDATE']);

interface Grant {
  readonly schema: string;
  readonly name: string;
  readonly login: string;
  readonly privileges: readonly string[];
}

const GRANTS = `
select n.nspname as schema, c.relname as name, g.grantee::regrole::text as login,
  array_agg(distinct said.privilege order by said.privilege) as privileges
from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) g,
  lateral (select g.privilege_type || case when g.is_grantable then ' for others' else '' end as privilege) said
where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and g.grantee <> c.relowner
group by 1, 2, 3
union all
select n.nspname, c.relname, g.grantee::regrole::text, array[g.privilege_type || ' of ' || string_agg(a.attname, ', ' order by a.attname)]
from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) g
where n.nspname = any($1::text[]) and not a.attisdropped
group by n.nspname, c.relname, g.grantee, g.privilege_type`;

const CREATORS = `
select format('%s may create in %s.', r.rolname, n.nspname) as found
from pg_roles r, pg_namespace n
where r.rolname = any($1::text[]) and n.nspname !~ '^pg_' and has_schema_privilege(r.oid, n.oid, 'create') and n.nspowner <> r.oid
union all
select format('%s may create schemas.', rolname) from pg_roles
where rolname = any($1::text[]) and has_database_privilege(oid, current_database(), 'create')`;

const listed = (schema: string, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...ofEach, ...(ofSchema[schema] ?? [])])[name] ?? {};

/** Logins of a schema as the lists above name them; others have their own name. */
const abstractName = (schema: string, login: string): string =>
  ({ [`${schema}_app`]: 'APP', [`${schema}_reconciler`]: 'RECONCILER', [`${schema}_relay`]: 'RELAY' })[login] ?? login;

const violationOf = ({ schema, name, login, privileges }: Grant): string[] => {
  const problem = `${login} has ${privileges.join(', ')} on ${schema}.${name}`;
  const isAppRole = login === `${schema}_app`;
  const expected = listed(schema, name)[abstractName(schema, login)];
  if (expected !== undefined)
    return expected === privileges.join(', ') ? [] : [`${problem}, and should have ${expected}.`];
  // Row level security restricts the role of a service to the rows of one group, but covers rows only.
  return isAppRole && privileges.every((each) => NOT_IN_QUESTION.has(each)) ? [] : [`${problem}, which is not listed.`];
};

/** Privileges of logins beyond the design: one sentence each. */
export const grantViolations = (installation: Installation): Promise<string[]> =>
  installation.owner('auth').ungrouped(async (tx) => {
    const grants = await tx.query<Grant>(GRANTS, [services]);
    const creators = await tx.query<{ found: string }>(CREATORS, [loginRoles()]);
    return [...grants.flatMap(violationOf), ...creators.map(({ found }) => found)];
  });
