import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { type DatabaseConnection, openPool, runMigrations } from '@acervo/platform-database';
import { ComposedEnvironments, type Environment, type Service, SERVICES } from '../deployment/composed-environments';
import { type Ended, runProgram } from '../deployment/run-program';
import { freePort, repository } from '../program';
import { type Balanced, Balancer, type Ports } from './balancer';
import { expanding, narrowTables } from './later-version';
import { Replica, type ReplicaEnd } from './replica';

/** Processes of a service; one more while it is rolled. */
const REPLICAS = 2;
const START_MS = 180_000;
/** Seconds between SIGTERM and SIGKILL, as in the pods of the services. */
const GRACE_MS = 60_000;

/** The compiled program: a child process does not compile. */
const LATER_PROGRAM = ['apps', 'e2e', 'dist', 'cluster', 'later-program.js'] as const;

/** What a service runs, where it is not the program and the settings of the compose file. */
export interface Version {
  readonly entry?: string;
  readonly environment?: Environment;
}

interface Rolled extends Balanced {
  readonly service: Service;
  readonly running: Map<number, Replica>;
}

/**
 * Each service twice behind HAProxy, on the engines of the running stack, with the environments of the compose file.
 * The services speak TLS with each other. Probes, grace and surge are those of a Kubernetes Deployment with `maxSurge` 1 and `maxUnavailable` 0.
 */
export class Cluster {
  /** How every process ended that was rolled or stopped. */
  readonly ends: ReplicaEnd[] = [];

  private constructor(
    readonly port: number,
    private readonly place: string,
    private readonly environments: ComposedEnvironments,
    private readonly services: readonly Rolled[],
    private readonly balancer: Balancer,
  ) {}

  /** @param documents the folder that ingestion sees as `/documents` */
  static async make(place: string, documents: string, services: readonly Service[] = SERVICES): Promise<Cluster> {
    const environments = await ComposedEnvironments.make(place, documents);
    const rolled: Rolled[] = [];
    for (const service of services) {
      const places: Ports[] = [];
      while (places.length <= REPLICAS) places.push({ public: await freePort(), internal: await freePort() });
      rolled.push({ service, places, peers: await freePort(), running: new Map() });
    }
    const port = await freePort();
    await makeCertificate(place);
    return new Cluster(port, place, environments, rolled, new Balancer(place, port, rolled));
  }

  /** Runs a program with arguments to its end, in the environment of its service. */
  run(name: Service | 'migrate', argv: readonly string[], { entry, environment = {} }: Version = {}): Promise<Ended> {
    const settings = this.environmentOf(name, environment);
    return runProgram(entry ?? this.environments.entryOf(name), argv, { environment: settings, cwd: this.place });
  }

  /** Lets the schemas have what a later version adds, beside the running processes. */
  async expand(services: readonly Service[] = SERVICES): Promise<void> {
    for (const service of services) {
      const owner = this.environments.ownerOf(service);
      await widen(owner, service);
      await runMigrations(owner, service, [expanding(service)]);
    }
  }

  /** The later version of a service, which needs that expansion. */
  laterVersionOf(service: Service): Version {
    const { app } = this.environments.programOf(service);
    return { entry: join(repository, ...LATER_PROGRAM), environment: { LATER_VERSION_OF: app } };
  }

  /** Starts all services at once, and waits until every process is ready. */
  async start(version: Version = {}): Promise<void> {
    await this.balancer.start();
    const places = Array.from({ length: REPLICAS }, (_, place) => place);
    const starts = this.services.flatMap(({ service }) =>
      places.map((place) => this.startOne(service, place, version)),
    );
    await Promise.all(starts);
  }

  /** Replaces the processes of a service one by one: a new one is ready and in use before an old one is stopped. */
  async roll(service: Service, version: Version = {}): Promise<void> {
    const { running, places } = this.rolled(service);
    for (const [old, replica] of [...running]) {
      const free = places.findIndex((_, place) => !running.has(place));
      await this.startOne(service, free, version);
      running.delete(old);
      this.ends.push(await replica.stop(GRACE_MS));
      await this.balancer.isUsed(service, old, false);
    }
  }

  /** The processes of a service. */
  replicasOf(service: Service): readonly Replica[] {
    return [...this.rolled(service).running.values()];
  }

  /** What all processes wrote about a request, or about anything else that a line names. */
  logged(text: string): readonly string[] {
    const logs = readdirSync(this.place).filter((name) => name.endsWith('.log'));
    const lines = logs.flatMap((name) => readFileSync(join(this.place, name), 'utf8').split('\n'));
    return lines.filter((line) => line.includes(text));
  }

  /** Stops every process. */
  async stop(): Promise<readonly ReplicaEnd[]> {
    const replicas = this.services.flatMap(({ running }) => [...running.values()]);
    for (const { running } of this.services) running.clear();
    const ends = await Promise.all(replicas.filter(({ hasEnded }) => !hasEnded).map((each) => each.stop(GRACE_MS)));
    this.ends.push(...ends);
    await this.balancer.stop();
    return ends;
  }

  private rolled(service: Service): Rolled {
    const found = this.services.find((each) => each.service === service);
    if (found === undefined) throw new Error(`The cluster does not run ${service}.`);
    return found;
  }

  private async startOne(service: Service, place: number, { entry, environment = {} }: Version): Promise<void> {
    const { places, running } = this.rolled(service);
    const ports = places[place];
    if (ports === undefined) throw new Error(`${service} has no free place.`);
    const replica = new Replica({
      service,
      entry: entry ?? this.environments.entryOf(service),
      environment: this.environmentOf(service, { ...listeningAt(ports), ...environment }),
      internalPort: ports.internal,
      log: join(this.place, `${service}-${place}.log`),
      cwd: this.place,
    });
    running.set(place, replica);
    await replica.ready(START_MS);
    await this.balancer.isUsed(service, place, true);
  }

  private environmentOf(name: Service | 'migrate', more: Environment): Environment {
    const peers = this.services.map(({ service, peers: port }) => `${service}=https://127.0.0.1:${port}`);
    const shared = { ACERVO_INTERNAL_URL: peers.join(','), ACERVO_TRUSTED_PROXIES: '1', ...tlsIn(this.place) };
    return this.environments.environmentOf(name, { ...shared, ...more });
  }
}

const [CERTIFICATE, KEY] = ['internal.crt', 'internal.key'] as const;

/** One certificate for all services, which is its own authority. */
const makeCertificate = async (place: string): Promise<void> => {
  const made = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  writeFileSync(join(place, CERTIFICATE), made.cert);
  writeFileSync(join(place, KEY), made.private, { mode: 0o600 });
};

const tlsIn = (place: string): Environment => ({
  ACERVO_INTERNAL_CA: join(place, CERTIFICATE),
  ACERVO_INTERNAL_TLS_CERTIFICATE: join(place, CERTIFICATE),
  ACERVO_INTERNAL_TLS_KEY: join(place, KEY),
});

/** One table a transaction: the locks of several could meet those of a request. */
const widen = async (owner: DatabaseConnection, service: Service): Promise<void> => {
  const pool = openPool({ ...owner, max: 1 });
  try {
    const { rows } = await pool.query<{ relname: string }>(narrowTables(service));
    for (const { relname } of rows)
      await pool.query(`alter table ${service}.${relname} add column later_version text default 'later'`);
  } finally {
    await pool.end();
  }
};

const listeningAt = (ports: Ports): Environment => ({
  ACERVO_HOST: '127.0.0.1',
  ACERVO_PORT: String(ports.public),
  ACERVO_INTERNAL_PORT: String(ports.internal),
});
