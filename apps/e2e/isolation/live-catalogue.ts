import { services, servicesWithUserData } from '@acervo/contracts';
import { columnsOfUsers } from '@acervo/ingestion';
import { keyTables } from '@acervo/platform-calls';
import { appRole, catalogueViolations, loginRoles, ownerRole, QUEUE_SCHEMA } from '@acervo/platform-database';
import { messagingTables } from '@acervo/platform-messaging';
import type { Installation } from './installation';

/** Tables that belong to no group, one by one. A table that is neither listed nor secured is a violation. */
const shared: Readonly<Record<string, readonly string[]>> = {
  auth: [
    'installation',
    'global_role',
    'global_function',
    'global_role_function',
    'group_directory',
    'login_directory',
    'global_application',
    'global_function_application',
    'global_role_application',
    'global_function_api',
    'global_function_analysis',
    'global_function_view',
    'signing_key',
    'pepper_version',
    'pending_registration',
    'mail_outbox',
    'rate_count',
    'request_rate',
  ],
  chat: ['rate_count'],
  gateway: ['client_release', 'cloud_release'],
  ingestion: ['request_rate'],
  operations: ['plan'],
};

/** Policies beside `own_group`: each lets one login read a few columns across groups. */
const openings = [
  'auth.group_directory directory_reads auth_directory r',
  'auth.login_directory directory_reads auth_directory r',
  ...services.map((service) => `${service}.task reconciler_reads ${service}_reconciler r`),
];

interface Found {
  readonly found: string;
}

const OURS = `n.nspname !~ '^(pg_|information_schema$)'`;
/** Tables of an extension belong to the extension. */
const notOfExtension = (table: string): string =>
  `not exists (select from pg_depend e where e.objid = ${table}.oid and e.deptype = 'e')`;

/** Columns whose ids of a deleted user are replaced, in services that delete no row of the user. */
const forgotten = columnsOfUsers.map(({ table, column }) => `'ingestion.${table}.${column}'`).join(', ');

/** Services whose rows of a user are deleted with the user. */
const ofUsers = ['auth', ...servicesWithUserData].map((name) => `'${name}'`).join(', ');

/** Queries of the live catalogue that must return no rows. */
const questions: Readonly<Record<string, string>> = {
  'is a table outside the schemas of services': `
    select format('%I.%I', n.nspname, c.relname) as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${OURS} and c.relkind in ('r', 'p', 'm', 'f') and ${notOfExtension('c')} and n.nspname <> all($1::text[]) and n.nspname <> '${QUEUE_SCHEMA}'`,
  'is not owned by the owner of its schema': `
    select format('%I.%I', n.nspname, c.relname) as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'S') and pg_get_userbyid(c.relowner) <> n.nspname || '_owner'`,
  'is a role with powers': `
    select rolname as found from pg_roles where rolname = any($2::text[]) and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`,
  'is a role that is a member of another one': `
    select format('%s of %s', m.member::regrole, m.roleid::regrole) as found from pg_auth_members m where m.member::regrole::text = any($2::text[])`,
  'runs with the rights of its definer': `
    select format('%I.%I', n.nspname, p.proname) as found from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${OURS} and p.prosecdef and ${notOfExtension('p')} and cardinality($1::text[]) > 0`,
  'is a view that is not read with the rights of its reader': `
    select format('%I.%I', n.nspname, c.relname) as found from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1::text[]) and c.relkind in ('v', 'm')
      and not coalesce('security_invoker=true' = any(c.reloptions), false)`,
  'is granted to everybody': `
    select format('%I.%I', table_schema, table_name) as found from information_schema.role_table_grants
    where table_schema = any($1::text[]) and grantee = 'PUBLIC'`,
  'is granted to a role of another service': `
    select distinct format('%I.%I to %s', table_schema, table_name, grantee) as found from information_schema.role_table_grants
    where table_schema = any($1::text[]) and grantee !~ ('^' || table_schema || '_') and grantee not in ('relay', 'postgres')`,
  'is a partition that may be written to by its name': `
    select format('%I.%I to %s', g.table_schema, g.table_name, g.grantee) as found from information_schema.role_table_grants g
    join pg_class c on c.relname = g.table_name and c.relnamespace = g.table_schema::regnamespace and c.relispartition
    where g.table_schema = any($1::text[]) and g.grantee <> g.table_schema || '_owner' and g.privilege_type <> 'SELECT'`,
  'names a user in a service that servicesWithUserData does not list': `
    select format('%I.%I.%I', n.nspname, c.relname, a.attname) as found
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1::text[]) and n.nspname not in (${ofUsers}) and c.relkind in ('r', 'p')
      and not a.attisdropped and a.attname ~ '(^|_)user(_|$)|_by(_id)?$|^(owner|actor|assignee|requester)(_(id|code))?$'
      and format('%I.%I.%I', n.nspname, c.relname, a.attname) not in (${forgotten})`,
  'is a key of a table with row security that does not begin with the group': `
    select format('%I.%I %s', n.nspname, c.relname, i.relname) as found
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1::text[]) and c.relforcerowsecurity and c.relname !~ '_directory$' and x.indisunique
      and (select attname from pg_attribute a where a.attrelid = c.oid and a.attnum = x.indkey[0]) is distinct from 'group_id'`,
};

const POLICIES = `
select format('%s %s %s %s', p.polrelid::regclass, p.polname,
    coalesce((select string_agg(r.rolname, ',') from pg_roles r where r.oid = any(p.polroles)), 'everybody'), p.polcmd) as found
from pg_policy p where p.polname <> 'own_group'`;

/** Missing protections of the tables of an installation, by its live catalogue: one sentence each. */
export const liveViolations = async (installation: Installation): Promise<string[]> => {
  const found: string[] = [];
  await installation.owner('auth').ungrouped(async (tx) => {
    for (const [sentence, sql] of Object.entries(questions)) {
      // Every query uses both parameters, so that none needs its own parameter list.
      const all = `${sql} and ($1::text[] is not null and $2::text[] is not null)`;
      for (const row of await tx.query<Found>(all, [services, loginRoles()])) found.push(`${row.found} ${sentence}.`);
    }
    const policies = (await tx.query<Found>(POLICIES)).map((row) => row.found);
    found.push(
      ...policies.filter((policy) => !openings.includes(policy)).map((policy) => `${policy} is an unlisted policy.`),
    );
  });
  for (const schema of services) {
    const expected = {
      schema,
      appRole: appRole(schema),
      notTenant: [...messagingTables, ...keyTables, 'migrations', ...(shared[schema] ?? [])],
    };
    await installation
      .login(ownerRole(schema))
      .ungrouped(
        async (tx) => void found.push(...(await catalogueViolations((sql, params) => tx.query(sql, params), expected))),
      );
  }
  return found;
};
