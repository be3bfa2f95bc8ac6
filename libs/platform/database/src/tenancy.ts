import { appRole, reconcilerRole } from './bootstrap';

const OWN_GROUP = `group_id = nullif(current_setting('app.group_id', true), '')::uuid`;

/** Row level security that also binds the owner, with one policy: the rows of the transaction's group. */
export const forceRowSecurity = (table: string): string => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy own_group on ${table} using (${OWN_GROUP}) with check (${OWN_GROUP});`;

/** Makes a table of a service a tenant table: row level security and the grants of the app role. */
export const tenantTable = (schema: string, table: string, grants = 'select, insert, update, delete'): string => `
${forceRowSecurity(`${schema}.${table}`)}
grant ${grants} on ${schema}.${table} to ${appRole(schema)};`;

/** Lets the reconciler of a service see, across groups, the named columns of a table and nothing else. */
export const reconcilable = (schema: string, table: string, columns: readonly string[]): string => `
create policy reconciler_reads on ${schema}.${table} for select to ${reconcilerRole(schema)} using (true);
grant select (${columns.join(', ')}) on ${schema}.${table} to ${reconcilerRole(schema)};`;
