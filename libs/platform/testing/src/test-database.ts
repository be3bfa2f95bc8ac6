import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  appRole,
  bootstrapSql,
  Database,
  type DatabaseConnection,
  EmbeddedDatabase,
  type ConnectionPriority,
  type MigrationClass,
  openPool,
  ownerRole,
  runMigrations,
} from '@acervo/platform-database';
import type { ServiceName } from '@acervo/contracts';
import { onStack } from './stack';
import { startTestServer } from './test-server';
import { sharedEngine, type StartedEngine } from './worker-database';

/** A real database for one test file: started, bootstrapped, migrated. */
export interface TestDatabase {
  connection(role: string, priority?: ConnectionPriority): DatabaseConnection;
  /** The database under the roles of a service. */
  database(service: ServiceName): Database;
  /** Runs one statement as the owner of a service's schema. */
  asOwner(service: ServiceName, sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Migrations by service. */
export type Migrations = Partial<Record<ServiceName, readonly MigrationClass[]>>;

type Connections = Pick<EmbeddedDatabase, 'connection'>;

const migrate = async (server: Connections, migrations: Migrations): Promise<void> => {
  for (const [service, list] of Object.entries(migrations))
    await runMigrations(server.connection(ownerRole(service)), service, list);
};

const CLUSTER = 'acervo-test-cluster-';
const KEPT_MS = 24 * 3_600_000;

/** Removes clusters of earlier migrations that were not copied for a day. */
const removeForgotten = (): void => {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(CLUSTER))) {
    const path = join(tmpdir(), name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
};

/** A digest of the migrations of each service. */
type Digests = Readonly<Record<string, string>>;

const digest = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');

const digestsOf = (migrations: Migrations): Digests =>
  Object.fromEntries(
    Object.entries(migrations).map(([service, list]) => [service, digest(list.map((Migration) => new Migration()))]),
  );

/** Lies beside the files of a cluster. */
const DIGESTS = 'migrations.json';

const makeCluster = async (migrations: Migrations): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-template-'));
  // Only the first cluster of a machine is initialised, which takes seconds; the others are copies of it.
  if (Object.keys(migrations).length > 0) cpSync(await clusterWith({}), directory, { recursive: true });
  writeFileSync(join(directory, DIGESTS), JSON.stringify(digestsOf(migrations)));
  const server = await EmbeddedDatabase.start({ directory });
  try {
    await migrate(server, migrations);
  } finally {
    await server.stop();
  }
  return directory;
};

/**
 * A data directory with these migrations, created once on this machine and then copied: nearly every test file needs
 * one.
 */
export const clusterWith = async (migrations: Migrations): Promise<string> => {
  const version = digest([bootstrapSql(), String(runMigrations), digestsOf(migrations)]).slice(0, 16);
  const ready = join(tmpdir(), `${CLUSTER}${version}`);
  if (!existsSync(ready)) {
    removeForgotten();
    const cluster = await makeCluster(migrations);
    try {
      renameSync(cluster, ready);
    } catch {
      // Another test file was first; both clusters are equal.
      rmSync(cluster, { recursive: true, force: true });
    }
  }
  utimesSync(ready, new Date(), new Date());
  return ready;
};

const copyOf = (cluster: string): string => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-test-'));
  cpSync(cluster, directory, { recursive: true });
  return directory;
};

/** A fresh data directory with a cluster that has these migrations. */
export const freshDataDirectory = async (migrations: Migrations): Promise<string> =>
  copyOf(await clusterWith(migrations));

/** Variable with the path of a cluster that has every migration; a run of all suites sets it. */
export const PREPARED_CLUSTER = 'ACERVO_TEST_CLUSTER';

interface Cluster {
  readonly path: string;
  readonly schemas: readonly string[];
}

/**
 * The prepared cluster where it has exactly the given migrations of their services, else one of their own. Suites of
 * many libraries then share the engine of their worker.
 */
const clusterFor = async (migrations: Migrations): Promise<Cluster> => {
  const [path, wanted] = [process.env[PREPARED_CLUSTER], digestsOf(migrations)];
  if (path !== undefined) {
    const prepared = JSON.parse(readFileSync(join(path, DIGESTS), 'utf8')) as Digests;
    if (Object.entries(wanted).every(([service, each]) => prepared[service] === each))
      return { path, schemas: Object.keys(prepared) };
  }
  return { path: await clusterWith(migrations), schemas: Object.keys(migrations) };
};

/** The engine of a test: the embedded one, or PostgreSQL where the test runs on a stack. */
interface Engine {
  connection(role: string, priority?: ConnectionPriority): DatabaseConnection;
  stop(): Promise<void>;
}

const startOn = async (cluster: string): Promise<StartedEngine> => {
  const directory = copyOf(cluster);
  return { directory, server: await EmbeddedDatabase.start({ directory }) };
};

const startIsolated = async (migrations: Migrations): Promise<Engine> => {
  const { server, directory } = await startOn(await clusterWith(migrations));
  return {
    connection: (role, priority) => server.connection(role, priority),
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const startEmbedded = async (migrations: Migrations): Promise<Engine> => {
  const { path, schemas } = await clusterFor(migrations);
  const shared = await sharedEngine(path, schemas, () => startOn(path));
  if (shared === undefined) return startIsolated(migrations);
  const { server, release } = shared;
  return { connection: (role, priority) => server.connection(role, priority), stop: async () => release() };
};

const startOnStack = async (migrations: Migrations): Promise<Engine> => {
  const server = await startTestServer();
  await migrate(server, migrations);
  return server;
};

export interface TestDatabaseOptions {
  /** For suites that change the schema or end the engine; other suites share the engine of their worker. */
  readonly isolated?: boolean;
}

/** Opens an empty database with the migrations of the given services, each run as the owner of its schema. */
export const openTestDatabase = async (
  migrations: Migrations,
  { isolated = false }: TestDatabaseOptions = {},
): Promise<TestDatabase> => {
  const start = onStack() ? startOnStack : isolated ? startIsolated : startEmbedded;
  const server = await start(migrations);
  const open: { close(): Promise<void> }[] = [];
  return {
    connection: (role, priority) => server.connection(role, priority),
    database: (service) => {
      const database = new Database(server.connection(appRole(service)));
      open.push(database);
      return database;
    },
    asOwner: async (service, sql, params) => {
      const pool = openPool({ ...server.connection(ownerRole(service)), max: 1 });
      try {
        return (await pool.query<Record<string, unknown>>(sql, params)).rows;
      } finally {
        await pool.end();
      }
    },
    close: async () => {
      await Promise.all(open.map((each) => each.close()));
      await server.stop();
    },
  };
};

/** The tables of a service that keep the rows of each group apart, by name. */
export const tenantTablesOf = async (
  database: Pick<TestDatabase, 'asOwner'>,
  service: ServiceName,
): Promise<string[]> => {
  const rows = await database.asOwner(
    service,
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'group_id'
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relforcerowsecurity order by 1`,
    [service],
  );
  return rows.map(({ name }) => String(name));
};
