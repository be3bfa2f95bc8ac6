import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { programs, type ServiceName } from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import {
  type ConnectionPriority,
  type DatabaseConnection,
  EmbeddedDatabase,
  RELAY_ROLE,
} from '@acervo/platform-database';
import { EmbeddedRelay } from '@acervo/platform-messaging';
import { migrateAll } from '@acervo/platform-service';
import {
  forkOwned,
  freshDataDirectory,
  onStack,
  silent,
  startTestServer,
  TooLate,
  until,
  WITHOUT_LIMITS,
} from '@acervo/platform-testing';
import { DataDirectory, environmentOf, installedServices } from '@acervo/standalone';
import { type Backend, ConnectionBalancer } from './balancer';
import { runProgram } from './deployment/run-program';
import { everyMigration } from './every-migration';
import { freePort } from './reserved-port';

/** The end of a process. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** From the signal to the end. */
  readonly ms: number;
}

type Environment = Readonly<Record<string, string>>;

/** One process of a service, which can be stopped and started again on its ports. */
export class SeparateProcess {
  private child: ChildProcess | undefined;

  constructor(
    private readonly entry: string,
    private readonly environment: Environment,
    private readonly log: string,
    readonly backend: Backend,
  ) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Starts the process; resolves when it answers. */
  start(): Promise<void> {
    const child = this.spawn();
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void =>
        reject(new Error(`It ended with ${code}:\n${this.logged.slice(-2_000)}`));
      child.once('exit', ended);
      child.once('message', () => {
        child.off('exit', ended);
        resolve();
      });
    });
  }

  /** Starts the process, and sends it SIGTERM once its start has come as far as `begun` resolves. */
  async startAndStop(begun: () => Promise<void>): Promise<Ended> {
    this.spawn();
    await begun();
    return this.stop();
  }

  /** Sends SIGTERM, more than once where asked, and waits for the end. */
  async stop(signals = 1): Promise<Ended> {
    const { child } = this;
    if (child === undefined) throw new Error('It does not run.');
    const started = performance.now();
    const ended = new Promise<Ended>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal, ms: performance.now() - started })),
    );
    for (let sent = 0; sent < signals; sent += 1) child.kill('SIGTERM');
    this.child = undefined;
    return ended;
  }

  /** Runs an admin command to its end; answers what it printed. */
  async run(argv: readonly string[]): Promise<string> {
    return (await runProgram(this.entry, argv, { environment: this.environment, cwd: process.cwd() })).output;
  }

  kill(): void {
    this.child?.kill('SIGKILL');
  }

  get logged(): string {
    return readFileSync(this.log, 'utf8');
  }

  private spawn(): ChildProcess {
    const log = openSync(this.log, 'a');
    this.child = forkOwned('process of a service', this.entry, [], {
      ...{ env: { PATH: process.env['PATH'] ?? '', ...this.environment }, execArgv: [] },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    return this.child;
  }
}

/** The end of a process behind balancers. */
export interface Drained extends Ended {
  /** From the signal until no balancer gave it a connection. */
  readonly outMs: number;
}

export interface SeparateRequest {
  /** A folder for everything that it writes. */
  readonly place: string;
  /** The services of two processes; the others have one. */
  readonly twice: readonly ServiceName[];
  /** Folder whose parts may be registered. */
  readonly folders?: string;
  readonly settings?: Environment;
}

/** The database of all services. */
interface Server {
  connection(role: string, priority?: ConnectionPriority): DatabaseConnection;
  stop(): Promise<void>;
}

/** PostgreSQL where a stack runs, else the embedded one. */
const openServer = async (): Promise<Server> => {
  if (onStack()) return startTestServer();
  const cluster = await freshDataDirectory(everyMigration());
  const embedded = await EmbeddedDatabase.start({ directory: cluster });
  return {
    connection: (role, priority) => embedded.connection(role, priority),
    stop: async () => {
      await embedded.stop();
      rmSync(cluster, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** Every service as the program of production, on one database; its callers reach it through a balancer. */
export class SeparateServices {
  readonly processes = new Map<string, readonly SeparateProcess[]>();
  private readonly closers: (() => Promise<unknown> | void)[] = [];
  private readonly balancers = new Map<string, readonly ConnectionBalancer[]>();
  /** The key of the administrator. */
  key = '';

  private constructor(
    private readonly request: SeparateRequest,
    private readonly database: Server,
  ) {}

  static async start(request: SeparateRequest): Promise<SeparateServices> {
    const database = await openServer();
    const services = new SeparateServices(request, database);
    services.closers.push(() => database.stop());
    try {
      await services.open();
    } catch (error) {
      await services.stop();
      throw error;
    }
    return services;
  }

  /** The public port of the balancer of a service. */
  portOf(service: ServiceName): number {
    const [, outside] = this.balancers.get(service) ?? [];
    return outside?.port ?? 0;
  }

  /** The processes of a service. */
  processesOf(name: string): readonly SeparateProcess[] {
    return this.processes.get(name) ?? [];
  }

  /** Starts a process of two; resolves once its balancers give it connections. */
  async startAgain(stopped: SeparateProcess): Promise<void> {
    await stopped.start();
    await until('the balancers use a started process', () => this.uses(stopped).every(Boolean));
  }

  /** Kills a process of two and starts it again; resolves once its balancers have noticed both. */
  async killAndStart(killed: SeparateProcess): Promise<void> {
    killed.kill();
    await until('no balancer uses a killed process', () => !this.uses(killed).some(Boolean));
    await this.startAgain(killed);
  }

  /**
   * Sends SIGTERM to a process of two, and waits for its end.
   * @throws an error where it closes before its drain is over, TooLate where its balancers notice the drain after that
   */
  async drain(stopped: SeparateProcess, signals = 1): Promise<Drained> {
    const drainMs = Number(this.settings['ACERVO_DRAIN_SECONDS']) * 1_000;
    const started = performance.now();
    const ending = stopped.stop(signals);
    await until('no balancer uses a process that drains', () => !this.uses(stopped).some(Boolean));
    const outMs = performance.now() - started;
    const ended = await ending;
    if (ended.ms < drainMs)
      throw new Error(`It closed after ${ended.ms} ms, before its drain of ${drainMs} ms was over.`);
    if (outMs > drainMs) throw new TooLate(`Its balancers chose it for ${outMs} ms; its drain took ${drainMs} ms.`);
    return { ...ended, outMs };
  }

  connection(role: string): DatabaseConnection {
    return this.database.connection(role);
  }

  async stop(): Promise<void> {
    for (const close of this.closers.toReversed()) await close();
  }

  private async open(): Promise<void> {
    const { database, request } = this;
    const migrations = Object.fromEntries(installedServices.map(({ name, migrations: list }) => [name, list]));
    await migrateAll(migrations, (role) => database.connection(role));
    const relay = new EmbeddedRelay(database.connection(RELAY_ROLE, 'background'), silent);
    relay.start();
    this.closers.push(() => relay.stop());
    const directory = DataDirectory.open(join(request.place, 'data'));
    const internal = new Map<string, number>();
    for (const { name } of programs) internal.set(name, await freePort());
    const internalUrl = [...internal].map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(',');
    for (const { name, program } of installedServices) {
      const environment = this.environmentOf(name, directory, internalUrl);
      const count = request.twice.includes(name) ? 2 : 1;
      const made = await Promise.all(
        Array.from({ length: count }, (_, index) => this.processOf(program, environment, `${name}-${index}`)),
      );
      this.processes.set(name, made);
      await this.balance(name, made, internal.get(name) ?? 0);
    }
    await Promise.all(programs.map(({ name }) => this.startAll(name)));
  }

  /** Whether each balancer of its service gives a process connections. */
  private uses(asked: SeparateProcess): boolean[] {
    const [service = ''] = [...this.processes].find(([, processes]) => processes.includes(asked)) ?? [];
    return (this.balancers.get(service) ?? []).map((balancer) => balancer.uses(asked.backend.health));
  }

  /** What differs from the settings of production. */
  private get settings(): Environment {
    return {
      ...WITHOUT_LIMITS,
      ...{ ACERVO_DRAIN_SECONDS: '5', ACERVO_RECONCILE_SECONDS: '604800' },
      ...this.request.settings,
    };
  }

  private async startAll(name: string): Promise<void> {
    if (name === 'auth') await this.provision();
    for (const each of this.processesOf(name)) await each.start();
  }

  private async processOf(program: string, environment: Environment, name: string): Promise<SeparateProcess> {
    const backend = { port: await freePort(), health: await freePort() };
    const listening = { ACERVO_PORT: String(backend.port), ACERVO_INTERNAL_PORT: String(backend.health) };
    const log = join(this.request.place, `${name}.log`);
    const made = new SeparateProcess(require.resolve(program), { ...environment, ...listening }, log, backend);
    this.closers.push(() => made.kill());
    return made;
  }

  /** Opens the public and the internal balancer of a service. */
  private async balance(name: string, processes: readonly SeparateProcess[], internalPort: number): Promise<void> {
    const backends = processes.map(({ backend }) => backend);
    const internal = await ConnectionBalancer.start(
      backends.map(({ health }) => ({ port: health, health })),
      internalPort,
    );
    const outside = await ConnectionBalancer.start(backends);
    this.balancers.set(name, [internal, outside]);
    this.closers.push(() => Promise.all([internal.close(), outside.close()]));
  }

  /** Makes the first group as an operator does. */
  private async provision(): Promise<void> {
    const [first] = this.processesOf('auth');
    const printed = await first?.run(['--provision', 'admin@acervo.local']);
    this.key = /acv_\w+/.exec(printed ?? '')?.[0] ?? '';
    if (this.key === '') throw new Error(`The first group was not made:\n${printed ?? ''}`);
  }

  private environmentOf(name: string, directory: DataDirectory, internalUrl: string): Environment {
    const { database, request } = this;
    const start = {
      ...{ administrator: 'admin@acervo.local', administratorPassword: undefined, mail: {}, logLevel: 'info' },
      ...{ failpoint: undefined, embedder: { ACERVO_EMBEDDER: 'hashing' } },
    };
    const embedder = { target: HASHING, before: null };
    return {
      ...environmentOf(name, { ...{ database, directory, start, embedder }, publicPort: 8080, internalUrl }),
      ...(request.folders === undefined ? {} : { ACERVO_FOLDER_ROOTS: `G1=${request.folders}` }),
      ...this.settings,
    };
  }
}
