import type { ServiceName } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { ServiceDefinition } from './service';
import { migrationsOf } from './migrate';

/** The schema of a service has another version than its program. */
export class SchemaUnfit extends Error {}

/** SQLSTATEs of a schema that was never migrated, or whose version predates the right of services to read it. */
const NEVER_MIGRATED = ['42P01', '42501'];
const NAMED = 3;

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} ...` : names.join(', ');

/**
 * Compares the migrations that ran with those that the program contains.
 * @throws SchemaUnfit; the message names what to do
 */
export const assertVersions = (service: ServiceName, expected: readonly string[], ran: readonly string[]): void => {
  const missing = expected.filter((name) => !ran.includes(name));
  const strange = ran.filter((name) => !expected.includes(name));
  if (strange.length > 0)
    throw new SchemaUnfit(
      `A newer version has changed the schema of ${service} (${listed(strange)}). Start that version, or restore the backup from before it.`,
    );
  if (missing.length > 0)
    throw new SchemaUnfit(
      `The schema of ${service} lacks ${missing.length} of the ${expected.length} changes that this version works with (${listed(missing)}). Run apps/migrate of this version first; docs/operations.md says how.`,
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

/** Checks the version of a service's schema. @throws SchemaUnfit where it differs: no work may begin */
export const assertSchema = async (
  { name, migrations }: Pick<ServiceDefinition, 'name' | 'migrations'>,
  database: Database,
): Promise<void> => {
  const expected = migrationsOf(name, migrations).map((Migration) => String(new Migration().name));
  assertVersions(name, expected, await changesOf(name, database));
};
