import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { services } from '@acervo/contracts';
import type { Installation } from './installation';

/** A table, and whether its rows have a group. */
export interface Table {
  readonly schema: string;
  readonly name: string;
}

const TABLES = `
select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any($1::text[]) and c.relkind in ('r', 'p') and not c.relispartition
  and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'group_id' and not a.attisdropped)
order by 1, 2`;

/** Every table with a group column in the live catalogue; new tables are included without a change here. */
export const groupTables = (installation: Installation): Promise<Table[]> =>
  installation.owner('auth').ungrouped((tx) => tx.query<Table>(TABLES, [services]));

/** Rows, row versions and objects of a group, by table. */
export type Fingerprint = Readonly<Record<string, string>>;

const objectsOf = (installation: Installation, groupId: string): string => {
  const folder = join(installation.directory.objects, 'group', groupId);
  if (!existsSync(folder)) return 'none';
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  // An object that is written again is another file: its inode and its times change.
  const hash = createHash('sha256');
  for (const file of files) {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    hash.update([file, ino, size, mtimeMs, ctimeMs].join());
  }
  return `${files.length} ${hash.digest('hex')}`;
};

/**
 * The number of rows and the sum of the transactions that wrote them: every change writes a row version under a new
 * transaction, and a deletion takes one away. A comparison of contents would read all vectors, and miss updates to the
 * same values.
 */
const VERSIONS = `count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0)`;

/** Fingerprint of all rows of a group, read as the owners of the schemas; row level security binds owners, too. */
export const fingerprint = async (
  installation: Installation,
  tables: readonly Table[],
  groupId: string,
): Promise<Fingerprint> => {
  const found: Record<string, string> = { objects: objectsOf(installation, groupId) };
  for (const schema of new Set(tables.map((table) => table.schema))) {
    const parts = tables
      .filter((table) => table.schema === schema)
      .map(
        ({ name }) =>
          `select '${schema}.${name}' as name, ${VERSIONS} as print from ${schema}.${name} t where t.group_id = $1`,
      );
    const rows = await installation
      .owner(schema)
      .read({ groupId }, (tx) => tx.prepared<{ name: string; print: string }>(parts.join(' union all '), [groupId]));
    for (const { name, print } of rows) found[name] = print;
  }
  return found;
};
