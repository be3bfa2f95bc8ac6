import type { ServiceName } from '@acervo/contracts';
import { type Database, type RanMigration, ranMigrationsSql } from '@acervo/platform-database';
import { migrationsOf } from './migrate';
import { assertVersions } from './schema-compatibility';
import type { ServiceDefinition } from '../service';

/** SQLSTATEs of a schema that was never migrated, or whose version predates the right of services to read it. */
const NEVER_MIGRATED = ['42P01', '42501'];
/** SQLSTATE of a schema whose migrations were written before they declared what they do to older programs. */
const UNDECLARED = '42703';

/** The names alone: a schema from before the declarations, which any difference makes unfit. */
const undeclaredIn = async (service: ServiceName, database: Database): Promise<readonly RanMigration[]> => {
  const rows = await database.ungrouped((tx) => tx.query<{ name: string }>(`select name from ${service}.migrations`));
  return rows.map(({ name }) => ({ name, kind: null, oldestProgram: null }));
};

const changesOf = async (service: ServiceName, database: Database): Promise<readonly RanMigration[]> => {
  try {
    return await database.ungrouped((tx) => tx.query<RanMigration>(ranMigrationsSql(service)));
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (NEVER_MIGRATED.includes(code)) return [];
    if (code === UNDECLARED) return undeclaredIn(service, database);
    throw error;
  }
};

/** Checks the version of a service's schema. @throws SchemaUnfit where it does not fit: no work may begin */
export const assertSchema = async (
  { name, migrations }: Pick<ServiceDefinition, 'name' | 'migrations'>,
  database: Database,
): Promise<void> => {
  const expected = migrationsOf(name, migrations).map((Migration) => new Migration().name);
  assertVersions(name, expected, await changesOf(name, database));
};
