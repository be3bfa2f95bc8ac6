import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
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

const makeCluster = async (migrations: Migrations): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-template-'));
  const server = await EmbeddedDatabase.start({ directory });
  try {
    await migrate(server, migrations);
  } finally {
    await server.stop();
  }
  return directory;
};

/**
 * A data directory with these migrations, created once on this machine and then copied. To initialise a cluster takes
 * seconds, and nearly every test file needs one.
 */
export const clusterWith = async (migrations: Migrations): Promise<string> => {
  const content = Object.entries(migrations).map(([service, list]) => [service, list.map((Each) => new Each())]);
  const made = JSON.stringify([bootstrapSql(), String(runMigrations), content]);
  const version = createHash('sha256').update(made).digest('hex').slice(0, 16);
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

/** A fresh data directory with a cluster that has these migrations. */
export const freshDataDirectory = async (migrations: Migrations): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-test-'));
  cpSync(await clusterWith(migrations), directory, { recursive: true });
  return directory;
};

/** The engine of a test: the embedded one, or PostgreSQL where the test runs on a stack. */
interface Engine {
  connection(role: string, priority?: ConnectionPriority): DatabaseConnection;
  stop(): Promise<void>;
}

const startOwn = async (migrations: Migrations): Promise<StartedEngine> => {
  const directory = await freshDataDirectory(migrations);
  return { directory, server: await EmbeddedDatabase.start({ directory }) };
};

const startIsolated = async (migrations: Migrations): Promise<Engine> => {
  const { server, directory } = await startOwn(migrations);
  return {
    connection: (role, priority) => server.connection(role, priority),
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const startEmbedded = async (migrations: Migrations): Promise<Engine> => {
  const schemas = Object.keys(migrations);
  const shared = await sharedEngine(await clusterWith(migrations), schemas, () => startOwn(migrations));
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
