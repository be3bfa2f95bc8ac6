import { join } from 'node:path';
import { type EmbedderDescription, HASHING } from '@acervo/models';
import { ENGINE_MAJOR, engineMajorOf } from '@acervo/platform-database';
import { StartRefused } from '../kernel/start-refused';

/** Version of the layout of a data directory. It rises with each change that older programs cannot read. */
export const LAYOUT = 2;

/** The manifest of a data directory, in the layout of this version. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  /** The embedder that the first start chose; later starts keep it. */
  readonly embedder: EmbedderDescription | null;
  /** The previous embedder, while the embedder changes: searches use it until the change is complete. */
  readonly before?: EmbedderDescription | null;
  readonly folders: readonly string[];
  /** Whether an import has begun and is not complete. */
  readonly importing?: boolean;
  /** Names of the database migrations that have run. */
  readonly migrations?: readonly string[];
  /** Place of its database: `embedded`, or a server as `host:port/name`; absent before a start has recorded it. */
  readonly database?: string;
}

/** The data directory cannot be used, and the user can correct the cause. */
export class DataDirectoryUnusable extends StartRefused {}

type JsonObject = Readonly<Record<string, unknown>>;

/** Upgrades of a manifest, each from one layout to the next. */
const STEPS: Readonly<Record<number, (manifest: JsonObject) => JsonObject>> = {
  // Layout 1 knew one embedder, by its name only.
  1: (manifest) => ({
    ...manifest,
    embedder: typeof manifest['embedder'] === 'string' ? HASHING : manifest['embedder'],
  }),
};

/**
 * Reads the manifest of a directory, in the layout of this version, and the layout on disk; writes nothing.
 * @throws DataDirectoryUnusable for a layout that this version cannot use.
 */
export const readManifest = (path: string, text: string): { readonly manifest: Manifest; readonly from: number } => {
  let raw = JSON.parse(text) as JsonObject;
  const from = Number(raw['format']);
  if (from > LAYOUT)
    throw new DataDirectoryUnusable(
      `The data directory ${path} has layout ${from} and this version works with up to ${LAYOUT}; nothing was changed. Use the newer version that made it, or another directory with --data.`,
    );
  for (let layout = from; layout < LAYOUT; layout += 1) {
    const step = STEPS[layout];
    if (step === undefined)
      throw new DataDirectoryUnusable(
        `The data directory ${path} has layout ${String(raw['format'])}, which this version does not know; nothing was changed. Export it with the version that made it ("--export FILE") and import that into a new directory ("--data NEW --import FILE").`,
      );
    raw = { ...step(raw), format: layout + 1 };
  }
  return { manifest: raw as object as Manifest, from };
};

/** @throws DataDirectoryUnusable if a newer version has changed the schemas of the database. */
export const assertSchemasKnown = (path: string, { migrations = [] }: Manifest, expected: readonly string[]): void => {
  const names = new Set(expected);
  const strange = migrations.filter((name) => !names.has(name));
  if (strange.length > 0)
    throw new DataDirectoryUnusable(
      `The data directory ${path} was used by a newer version, which changed its database (${strange[0]}); nothing was changed now. Use that version, or another directory with --data.`,
    );
};

/** The engine of a database that lies in the directory itself. */
export const EMBEDDED = 'embedded';

const placeName = (place: string): string =>
  place === EMBEDDED ? 'in the directory itself (embedded)' : `on the PostgreSQL server ${place}`;

/** @throws DataDirectoryUnusable if the database is not where this start expects it. */
export const assertDatabaseAt = (path: string, { database }: Pick<Manifest, 'database'>, place: string): void => {
  if (database === undefined || database === place) return;
  const back =
    database === EMBEDDED
      ? 'Start without ACERVO_DATABASE_ADMIN_USER'
      : `Set ACERVO_DATABASE_HOST, _PORT, _NAME and _ADMIN_USER so that they name ${database}; where that server moved, write its new place into acervo.json`;
  throw new DataDirectoryUnusable(
    `The database of ${path} is ${placeName(database)}, and this start would create another one ${placeName(place)}; nothing was changed. ${back}, or choose another directory with --data; --export and --import carry people and keys there.`,
  );
};

/** The embedded database of a data directory. */
export const databaseOf = (path: string): string => join(path, 'database');

export const hasDatabase = (path: string): boolean => engineMajorOf(databaseOf(path)) !== undefined;

/** @throws DataDirectoryUnusable if an engine of another major version created the database. */
export const assertEngineFits = (path: string): void => {
  const made = engineMajorOf(databaseOf(path));
  if (made === undefined) return;
  if (made < ENGINE_MAJOR)
    throw new DataDirectoryUnusable(
      `The database in ${path} was made by PostgreSQL ${made} and this version contains ${ENGINE_MAJOR}, which cannot open it; nothing was changed. Start the version that made it with "--export FILE", then this one with "--data NEW --import FILE".`,
    );
  if (made > ENGINE_MAJOR)
    throw new DataDirectoryUnusable(
      `The database in ${path} was made by PostgreSQL ${made}, newer than the ${ENGINE_MAJOR} of this version; nothing was changed. Use the newer version that made it, or another directory with --data.`,
    );
};
