import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  appRole,
  bootstrapSql,
  Database,
  type DatabaseConnection,
  EmbeddedDatabase,
  type Lane,
  type MigrationClass,
  openPool,
  ownerRole,
  runMigrations,
} from '@acervo/platform-database';
import type { ServiceName } from '@acervo/contracts';
import { onStack } from './stack';
import { startTestServer } from './test-server';

/** A real database for one test file: started, bootstrapped, migrated. */
export interface TestDatabase {
  connection(role: string, lane?: Lane): DatabaseConnection;
  /** The database as a service sees it. */
  database(service: ServiceName): Database;
  /** Runs one statement as the owner of a service's schema. */
  asOwner(service: ServiceName, sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A cluster that has been initialised once on this machine and is copied from then on. */
const template = async (): Promise<string> => {
  const version = createHash('sha256').update(bootstrapSql()).digest('hex').slice(0, 16);
  const ready = join(tmpdir(), `acervo-test-cluster-${version}`);
  if (existsSync(ready)) return ready;
  const directory = mkdtempSync(join(tmpdir(), 'acervo-template-'));
  const server = await EmbeddedDatabase.start({ directory });
  await server.stop();
  try {
    renameSync(directory, ready);
  } catch {
    // Another test file was first; its cluster is as good as this one.
    rmSync(directory, { recursive: true, force: true });
  }
  return ready;
};

/** A fresh data directory with an initialised cluster. */
export const freshDataDirectory = async (): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-test-'));
  cpSync(await template(), directory, { recursive: true });
  return directory;
};

/** The engine under a test: the embedded one, or PostgreSQL where the test runs on a stack. */
interface Engine {
  connection(role: string, lane?: Lane): DatabaseConnection;
  stop(): Promise<void>;
}

const startEmbedded = async (): Promise<Engine> => {
  const directory = await freshDataDirectory();
  const server = await EmbeddedDatabase.start({ directory });
  return {
    connection: (role, lane) => server.connection(role, lane),
    stop: async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

/** Starts a database with the migrations of the given services, each run as the owner of its schema. */
export const openTestDatabase = async (
  migrations: Partial<Record<ServiceName, readonly MigrationClass[]>>,
): Promise<TestDatabase> => {
  const server: Engine = onStack() ? await startTestServer() : await startEmbedded();
  for (const [service, list] of Object.entries(migrations))
    await runMigrations(server.connection(ownerRole(service)), service, list);
  const open: { close(): Promise<void> }[] = [];
  return {
    connection: (role, lane) => server.connection(role, lane),
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
