import type { ServiceName } from '@acervo/contracts';
import { precedes, RELEASE } from '@acervo/platform-config';
import type { RanMigration } from '@acervo/platform-database';

/** The schema of a service has a version that its program cannot work with. */
export class SchemaUnfit extends Error {}

const NAMED = 3;

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} ...` : names.join(', ');

const namesOf = (migrations: readonly RanMigration[]): string => listed(migrations.map(({ name }) => name));

const isContracting = (migration: RanMigration): migration is RanMigration & { readonly oldestProgram: string } =>
  migration.kind === 'contract' && migration.oldestProgram !== null;

/** The newest of the releases that contracting migrations ask for, with the migrations that this program precedes. */
const tooNewFor = (
  release: string,
  unknown: readonly RanMigration[],
): { readonly migrations: readonly RanMigration[]; readonly oldestProgram: string } | undefined => {
  const tooNew = unknown.filter(isContracting).filter(({ oldestProgram }) => precedes(release, oldestProgram));
  const [first] = tooNew
    .map(({ oldestProgram }) => oldestProgram)
    .toSorted((one, other) => (precedes(one, other) ? 1 : -1));
  return first === undefined ? undefined : { migrations: tooNew, oldestProgram: first };
};

/**
 * Judges migrations that a newer program ran. Expanding ones are accepted, and contracting ones whose oldest program is
 * not newer than this one.
 * @throws SchemaUnfit; the message names what to do
 */
export const assertCompatible = (
  service: ServiceName,
  expected: readonly string[],
  ran: readonly RanMigration[],
  release = RELEASE,
): void => {
  const unknown = ran.filter(({ name }) => !expected.includes(name));
  const undeclared = unknown.filter(({ kind }) => kind === null);
  if (undeclared.length > 0)
    throw new SchemaUnfit(
      `Another version has changed the schema of ${service} (${namesOf(undeclared)}), without declaring that programs of ${release} can work with it. Start that version, or restore the backup from before it.`,
    );
  const tooNew = tooNewFor(release, unknown);
  if (tooNew !== undefined)
    throw new SchemaUnfit(
      `A newer version has changed the schema of ${service} (${namesOf(tooNew.migrations)}); programs before ${tooNew.oldestProgram} cannot work with it, and this one is ${release}. Start ${tooNew.oldestProgram} or later, or restore the backup from before it.`,
    );
};

/**
 * Compares the migrations that ran with those that the program contains.
 * @throws SchemaUnfit; the message names what to do
 */
export const assertVersions = (
  service: ServiceName,
  expected: readonly string[],
  ran: readonly RanMigration[],
  release = RELEASE,
): void => {
  assertCompatible(service, expected, ran, release);
  const names = ran.map(({ name }) => name);
  const missing = expected.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new SchemaUnfit(
      `The schema of ${service} lacks ${missing.length} of the ${expected.length} changes that this version works with (${listed(missing)}). Run apps/migrate of this version first; docs/operations.md says how.`,
    );
};
