import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { ServiceDefinition } from './definition';
import { migrationsOf } from './migrate';
import type { ServiceConfig } from './service-config';

/** The schema of a service is of another version than its program. */
export class SchemaUnfit extends Error {}

/** What PostgreSQL says where nobody migrated yet, or a version before that let no service look. */
const NEVER_MIGRATED = ['42P01', '42501'];
const NAMED = 3;

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} ...` : names.join(', ');

/**
 * Compares what ran with what the program knows.
 * @throws SchemaUnfit saying what to do
 */
export const assertVersions = (service: ServiceName, known: readonly string[], ran: readonly string[]): void => {
  const missing = known.filter((name) => !ran.includes(name));
  const strange = ran.filter((name) => !known.includes(name));
  if (strange.length > 0)
    throw new SchemaUnfit(
      `A newer version has changed the schema of ${service} (${listed(strange)}). Start that version, or restore the backup from before it.`,
    );
  if (missing.length > 0)
    throw new SchemaUnfit(
      `The schema of ${service} lacks ${missing.length} of the ${known.length} changes that this version works with (${listed(missing)}). Run apps/migrate of this version first; docs/operations.md says how.`,
    );
};

const changesOf = async (service: ServiceName, database: Database): Promise<string[]> => {
  try {
    const rows = await database.ungrouped((tx) => tx.query<{ name: string }>(`select name from ${service}.migrations`));
    return rows.map(({ name }) => name);
  } catch (error) {
    if (NEVER_MIGRATED.includes(String((error as { code?: unknown }).code))) return [];
    throw error;
  }
};

/** Whether the schema of a service is of its version. @throws SchemaUnfit where it is not: nothing may begin */
export const assertSchema = async (
  { name, migrations }: Pick<ServiceDefinition<ServiceConfig>, 'name' | 'migrations'>,
  database: Database,
): Promise<void> => {
  const known = migrationsOf(name, migrations).map((Migration) => String(new Migration().name));
  assertVersions(name, known, await changesOf(name, database));
};
