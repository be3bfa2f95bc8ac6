import { type MigrationClass, sqlMigration } from '@acervo/platform-database';

/** The tables of a service without the column, except partitions, which follow their parents. */
export const narrowTables = (service: string): string =>
  `select relname::text from pg_class c where relnamespace = '${service}'::regnamespace and relkind in ('r', 'p')
     and not relispartition and not exists
       (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'later_version') order by 1`;

/** A column more in each table of a service, its partitions included: the widest change that old statements must survive. */
export const expanding = (service: string): MigrationClass =>
  sqlMigration(
    'Wider1890000000001',
    `do $wider$ declare name text; begin
       for name in ${narrowTables(service)} loop
         execute format('alter table ${service}.%I add column later_version text default ''later''', name);
       end loop;
     end $wider$`,
    { kind: 'expand' },
  );

/** A change that no program of this release survives. */
export const contracting = (table: string): MigrationClass =>
  sqlMigration('Narrow1890000000002', `alter table ${table} drop column later_version`, {
    kind: 'contract',
    oldestProgram: '9.0.0',
  });
