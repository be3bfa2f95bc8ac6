import type { Transaction } from './transactions';

type Query = Transaction['query'];

/** The expected state of one schema in the system catalogue. */
export interface SchemaExpectation {
  readonly schema: string;
  readonly appRole: string;
  /** Tables that belong to no group, listed one by one. */
  readonly notTenant: readonly string[];
}

interface TableRow {
  readonly name: string;
  readonly kind: 'r' | 'p';
  readonly is_partition: boolean;
  readonly secured: boolean;
  readonly forced: boolean;
  readonly owner: string;
  readonly app_may: boolean;
  readonly has_group: boolean;
  readonly policies: number;
  readonly more_policies: number;
}

const TABLES = `
select c.relname as name, c.relkind as kind, c.relispartition as is_partition, c.relrowsecurity as secured,
  c.relforcerowsecurity as forced, pg_get_userbyid(c.relowner) as owner,
  has_table_privilege($2, c.oid, 'select, insert, update, delete') as app_may,
  exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'group_id' and a.attnotnull) as has_group,
  (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polname = 'own_group' and p.polcmd = '*'
     and pg_get_expr(p.polqual, p.polrelid) like '%app.group_id%'
     and pg_get_expr(p.polwithcheck, p.polrelid) like '%app.group_id%') as policies,
  (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polname <> 'own_group' and p.polpermissive
     and (0 = any(p.polroles) or $2::regrole = any(p.polroles))) as more_policies
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relkind in ('r', 'p')`;

/** Primary, unique and foreign keys of tenant tables that do not begin with, or contain, the group column. */
const KEYS = `
select c.relname as name, k.conname as key
from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and k.contype in ('p', 'u', 'f')
  and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'group_id' and a.attnum = any(k.conkey))
union
select c.relname, i.relname
from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and x.indisunique
  and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'group_id' and a.attnum = any(x.indkey))`;

const tableViolations = (row: TableRow, { schema, appRole, notTenant }: SchemaExpectation): string[] => {
  const name = `${schema}.${row.name}`;
  if (row.owner === appRole) return [`${name} is owned by the role that services log in with.`];
  if (notTenant.includes(row.name)) return [];
  // A partition without a grant is readable only through its parent, whose policy applies.
  if (row.is_partition && !row.app_may) return [];
  return [
    ...(row.has_group
      ? []
      : [`${name} has no group_id that is never null, and is not listed as a table without group.`]),
    ...(row.secured && row.forced ? [] : [`${name} does not force row level security.`]),
    ...(row.policies === 1 ? [] : [`${name} lacks the policy own_group with USING and WITH CHECK.`]),
    ...(row.more_policies === 0 ? [] : [`${name} has another policy that lets ${appRole} in.`]),
  ];
};

/**
 * Violations of tenancy in a schema, read from the live catalogue: one sentence each. A table that is neither secured
 * nor listed is a violation, so a forgotten table is found.
 */
export const catalogueViolations = async (query: Query, expected: SchemaExpectation): Promise<string[]> => {
  const tables = await query<TableRow>(TABLES, [expected.schema, expected.appRole]);
  const keys = await query<{ name: string; key: string }>(KEYS, [expected.schema]);
  const powers = await query(
    `select from pg_roles where rolname = $1 and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`,
    [expected.appRole],
  );
  const listed = new Set(tables.map(({ name }) => name));
  return [
    ...tables.flatMap((row) => tableViolations(row, expected)),
    ...keys
      .filter(({ name }) => !expected.notTenant.includes(name))
      .map(({ name, key }) => `${expected.schema}.${name} has the key ${key} without group_id.`),
    ...expected.notTenant
      .filter((name) => !listed.has(name))
      .map((name) => `${expected.schema}.${name} is listed and does not exist.`),
    ...(powers.length > 0 ? [`${expected.appRole} has powers that no service may have.`] : []),
  ];
};

/** Checks at start-up that a session without a group sees no tenant row. @throws when it sees one. */
export const assertNoRowsWithoutGroup = async (query: Query, tables: readonly string[]): Promise<void> => {
  if (tables.length === 0) return;
  const seen = await query<{ name: string }>(
    tables.map((name) => `(select '${name}' as name from ${name} limit 1)`).join(' union all '),
  );
  if (seen.length > 0)
    throw new Error(`${seen.map(({ name }) => name).join(', ')} show rows without a group: row level security is off.`);
};
