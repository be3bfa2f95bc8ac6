import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallerName } from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import { HttpTransport, type LocalCalls, ProofMint, RoutedCalls, ServiceKeys } from '@acervo/platform-calls';
import { appRole, Database, EmbeddedDatabase, ownerRole, RELAY_ROLE } from '@acervo/platform-database';
import { type RunningServer, serve } from '@acervo/platform-http';
import { EmbeddedRelay } from '@acervo/platform-messaging';
import { createLogger, Metrics } from '@acervo/platform-observability';
import { migrateAll, type RunningService } from '@acervo/platform-service';
import { freshDataDirectory, WITHOUT_LIMITS } from '@acervo/platform-testing';
import { DataDirectory, environmentOf, installedServices, publicDispatcher } from '@acervo/standalone';
import { everyMigration } from '../harness/every-migration';
import { OPENED } from './kinds';

const ADMINISTRATOR = 'admin@zqb.test';
export const PASSWORD = 'una clave larga de prueba';

/** All services of the product in this process, over one database. Tests use HTTP and Calls. */
export class Installation {
  private readonly closers: (() => Promise<void> | void)[] = [];
  readonly services: RunningService[] = [];
  /** Errors that the services logged. */
  readonly logged: string[] = [];
  readonly local: LocalCalls = new Map();
  private server!: RunningServer;
  private transport!: HttpTransport;

  private constructor(
    readonly database: EmbeddedDatabase,
    readonly directory: DataDirectory,
  ) {}

  static async start(): Promise<Installation> {
    const place = mkdtempSync(join(tmpdir(), 'acervo-isolation-'));
    const cluster = await freshDataDirectory(everyMigration());
    const database = await EmbeddedDatabase.start({ directory: cluster });
    const installation = new Installation(database, DataDirectory.open(join(place, 'data')));
    installation.closers.push(
      () => [place, cluster].forEach((path) => rmSync(path, { recursive: true, force: true, maxRetries: 5 })),
      () => database.stop(),
    );
    try {
      await installation.prepare();
    } catch (error) {
      await installation.stop();
      throw error;
    }
    return installation;
  }

  private async prepare(): Promise<void> {
    const migrations = Object.fromEntries(installedServices.map((service) => [service.name, service.migrations]));
    await migrateAll(migrations, (role) => this.database.connection(role));
    await this.boot();
  }

  private async boot(): Promise<void> {
    const { database, directory, local } = this;
    const destination = { write: (line: string): void => void this.logged.push(line) };
    const logger = createLogger({ service: 'standalone', level: 'error', destination });
    const relay = new EmbeddedRelay(database.connection(RELAY_ROLE, 'background'), logger);
    relay.start();
    this.closers.push(() => relay.stop());
    const start = {
      ...{ administrator: ADMINISTRATOR, administratorPassword: PASSWORD, mail: {} },
      ...{ logLevel: 'error', failpoint: undefined, embedder: { ACERVO_EMBEDDER: 'hashing' } },
    };
    const parts = { database, directory, start, publicPort: 8080, internalUrl: 'http://{service}.invalid' };
    for (const service of installedServices) {
      const environment = environmentOf(service.name, { ...parts, embedder: { target: HASHING, before: null } });
      // What a group does by itself after minutes would write rows or objects between two fingerprints.
      const overrides = {
        ...{ ACERVO_RECONCILE_SECONDS: '604800', ACERVO_RESCAN_SECONDS: '0', ACERVO_AUDIT_ANCHOR_SECONDS: '86400' },
        ACERVO_FOLDER_ROOTS: `G1=${OPENED}:G2=${OPENED}`,
      };
      const running = await service.boot({
        environment: { ...environment, ...WITHOUT_LIMITS, ...overrides },
        ...{ local, logDestination: destination },
      });
      this.services.push(running);
      this.closers.push(() => running.close());
    }
    for (const service of this.services) service.startWork();
    const handlers = new Map(this.services.map(({ name, handler }) => [name, handler]));
    this.server = await serve('public', publicDispatcher(handlers), '127.0.0.1', 0);
    this.closers.push(() => this.server.close());
    const keys = await ServiceKeys.generate();
    this.transport = new HttpTransport(() => 'http://nowhere.invalid', new ProofMint('standalone', keys));
    this.closers.push(() => this.transport.close());
  }

  /** How many searches answered without a leg that failed or was late. */
  get searchesWithoutLeg(): number {
    return this.logged.filter((line) => line.includes('a leg is down')).length;
  }

  get port(): number {
    return this.server.port;
  }

  readonly administrator = { email: ADMINISTRATOR, password: PASSWORD };

  callsOf(caller: CallerName): RoutedCalls {
    return new RoutedCalls(caller, this.local, this.transport, new Metrics('test'));
  }

  /** The database, as the role of a service. */
  as(service: string): Database {
    return this.open(appRole(service));
  }

  /** The database, as the owner of a service's schema; row level security binds the owner, too. */
  owner(service: string): Database {
    return this.open(ownerRole(service));
  }

  /** The database, as any login role. */
  login(role: string): Database {
    return this.open(role);
  }

  private readonly opened = new Map<string, Database>();

  private open(role: string): Database {
    const opened = this.opened.get(role);
    if (opened !== undefined) return opened;
    const database = new Database({ ...this.database.connection(role), max: 2 });
    this.opened.set(role, database);
    this.closers.push(() => database.close());
    return database;
  }

  async stop(): Promise<void> {
    for (const close of this.closers.toReversed()) await close();
  }
}
