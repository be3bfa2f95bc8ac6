import { type ChildProcess, fork, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stackPassword, stackVariable, WITHOUT_LIMITS } from '@acervo/platform-testing';
import { stackEnvironment } from '../harness/on-stack';
import { freePort, repository } from '../harness/program';
import { type ComposedProgram, composedPrograms } from './compose-file';

/** In the order of a first deployment. */
const SERVICES = ['auth', 'retrieval', 'ingestion', 'operations', 'gateway'] as const;
export type Service = (typeof SERVICES)[number];

type Environment = Readonly<Record<string, string>>;

/** Paths in the containers of compose that are elsewhere in this suite. */
const PLACES = { secrets: '/run/secrets', documents: '/documents' } as const;

/** Number of attempts: an engine may be late on a busy machine. */
const STARTS = 5;

/** Secrets that the deployment generates. */
const GENERATED = ['key_pepper', 'cursor_key', 'audit_key'];

const redis = (): URL => new URL(stackVariable('ACERVO_REDIS_URL'));

/** The value of a secret on the running stack; empty for optional secrets. */
const secretOf = (name: string): string => {
  if (GENERATED.includes(name)) return `the ${name} of a deployment`;
  if (name === 'postgres') return stackVariable('ACERVO_DATABASE_ADMIN_PASSWORD');
  if (name === 'redis') return redis().password;
  if (name === 'kafka') return stackVariable('ACERVO_KAFKA_PASSWORD');
  if (name === 'opensearch') return stackVariable('ACERVO_OPENSEARCH_PASSWORD');
  if (name === 'tls_ca') return readFileSync(stackVariable('ACERVO_KAFKA_CA'), 'utf8');
  if (name === 's3_access_key') return stackVariable('ACERVO_S3_ACCESS_KEY');
  if (name === 's3_secret_key') return stackVariable('ACERVO_S3_SECRET_KEY');
  return /_(owner|app|reconciler|relay)$|^(relay|queue|auth_directory|auth_catalogue)$/.test(name)
    ? stackPassword(name)
    : '';
};

/** The variables that an operator sets for the compose file. */
const variables = (): Environment => ({
  ACERVO_POSTGRES_PASSWORD: secretOf('postgres'),
  ACERVO_REDIS_PASSWORD: secretOf('redis'),
  ACERVO_S3_ACCESS_KEY: secretOf('s3_access_key'),
  ACERVO_S3_SECRET_KEY: secretOf('s3_secret_key'),
  ...Object.fromEntries(['POSTGRES', 'KAFKA', 'OPENSEARCH', 'REDIS', 'S3'].map((name) => [`ACERVO_${name}_PORT`, '1'])),
});

/** Addresses of the stack for the host names of the compose network. */
const addresses = (): Environment => ({
  ACERVO_DATABASE_HOST: stackVariable('ACERVO_DATABASE_HOST'),
  ACERVO_KAFKA_BROKERS: stackVariable('ACERVO_KAFKA_BROKERS'),
  ACERVO_REDIS_URL: `redis://${redis().host}`,
  ACERVO_S3_ENDPOINT: stackVariable('ACERVO_S3_ENDPOINT'),
  ACERVO_OPENSEARCH_URL: stackVariable('ACERVO_OPENSEARCH_URL'),
});

/** Names that separate this deployment from other suites on the same engines. */
const ownNames = async (place: string): Promise<Environment> => {
  const named = await stackEnvironment(place);
  const ownNamespaces = Object.entries(named).filter(([name]) =>
    /_(DATABASE_NAME|PREFIX|PARTITIONS|BUCKET|REGION)$/.test(name),
  );
  return { ...Object.fromEntries(ownNamespaces), ACERVO_DATABASE_PORT: stackVariable('ACERVO_DATABASE_PORT') };
};

interface Ports {
  readonly public: number;
  readonly internal: number;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** The services as `docker/compose.yaml` runs them, each with exactly its environment and secrets. */
export class Deployment {
  private readonly running = new Map<Service, ChildProcess>();

  private constructor(
    private readonly place: string,
    private readonly documents: string,
    private readonly programs: ReadonlyMap<string, ComposedProgram>,
    private readonly ports: ReadonlyMap<Service, Ports>,
    private readonly named: Environment,
  ) {}

  /** @param documents the folder that ingestion sees as `/documents` */
  static async make(place: string, documents: string): Promise<Deployment> {
    const ports = new Map<Service, Ports>();
    for (const service of SERVICES) ports.set(service, { public: await freePort(), internal: await freePort() });
    const deployment = new Deployment(place, documents, composedPrograms(variables()), ports, await ownNames(place));
    for (const [name, { secrets }] of deployment.programs) {
      mkdirSync(join(place, name, 'secrets'), { recursive: true });
      for (const secret of secrets) writeFileSync(join(place, name, 'secrets', secret), secretOf(secret));
    }
    return deployment;
  }

  /** Public address of a service. */
  urlOf(service: Service): string {
    return `http://127.0.0.1:${this.ports.get(service)?.public ?? 0}`;
  }

  /** Runs a program with arguments to its end, in the environment of its service. */
  run(name: Service | 'migrate', argv: readonly string[], more: Environment = {}): Promise<Ended> {
    const child = spawn(process.execPath, [this.entryOf(name), ...argv], {
      env: this.environmentOf(name, more),
      cwd: this.place,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  }

  /** Starts services one by one, and waits until each answers. A failed service is started again, as compose does. */
  async start(services: readonly Service[] = SERVICES, more: Environment = {}): Promise<void> {
    for (const service of services)
      for (let tries = 1; ; tries += 1) {
        const why = await this.startOne(service, more);
        if (why === undefined) break;
        if (tries >= STARTS || this.programOf(service).restart !== 'on-failure') throw new Error(why);
      }
  }

  /** Stops services as a deployment does; returns their exit codes. */
  stop(services: readonly Service[] = SERVICES): Promise<(number | null)[]> {
    return Promise.all(
      services.flatMap((service) => {
        const child = this.running.get(service);
        this.running.delete(service);
        if (child === undefined) return [];
        const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        return [ended];
      }),
    );
  }

  /** The last log lines of a service. */
  logOf(service: Service): string {
    return readFileSync(join(this.place, `${service}.log`), 'utf8').slice(-2_000);
  }

  /** Starts a service; returns the reason if it exits before it is ready. */
  private startOne(service: Service, more: Environment): Promise<string | undefined> {
    const log = openSync(join(this.place, `${service}.log`), 'a');
    const child = fork(this.entryOf(service), [], {
      env: this.environmentOf(service, more),
      cwd: this.place,
      stdio: ['ignore', log, log, 'ipc'],
      execArgv: [],
    });
    closeSync(log);
    this.running.set(service, child);
    return new Promise((resolve) => {
      child.once('message', () => resolve(undefined));
      child.once('exit', (code) => {
        if (this.running.get(service) === child) this.running.delete(service);
        resolve(`${service} ended with ${code}:\n${this.logOf(service)}`);
      });
    });
  }

  private programOf(name: string): ComposedProgram {
    const program = this.programs.get(name);
    if (program === undefined) throw new Error(`The compose file has no program ${name}.`);
    return program;
  }

  private entryOf(name: string): string {
    return join(repository, 'apps', this.programOf(name).app, 'dist', 'main.js');
  }

  /** Exactly the environment of the compose file, with the paths and addresses of this suite. */
  private environmentOf(name: Service | 'migrate', more: Environment): Record<string, string> {
    const { environment } = this.programOf(name);
    const found = addresses();
    const here = (value: string): string =>
      value.replace(PLACES.secrets, join(this.place, name, 'secrets')).replace(PLACES.documents, this.documents);
    const settings = Object.entries(environment).map(([key, value]) => [key, found[key] ?? here(value)] as const);
    const port = name === 'migrate' ? undefined : this.ports.get(name);
    const listening: Environment =
      port === undefined
        ? {}
        : { ACERVO_HOST: '127.0.0.1', ACERVO_PORT: String(port.public), ACERVO_INTERNAL_PORT: String(port.internal) };
    const peers = [...this.ports].map(([service, { internal }]) => `${service}=http://127.0.0.1:${internal}`);
    return {
      PATH: process.env['PATH'] ?? '',
      ...WITHOUT_LIMITS,
      ...Object.fromEntries(settings),
      ...this.named,
      ...listening,
      ACERVO_INTERNAL_URL: peers.join(','),
      ACERVO_LOG_LEVEL: 'warn',
      ...more,
    };
  }
}
