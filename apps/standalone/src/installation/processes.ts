import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { HttpTransport, ProofMint, RoutedCalls, ServiceKeys } from '@acervo/platform-calls';
import type { Metrics } from '@acervo/platform-observability';
import { type EnvironmentDependencies, environmentOf, failpointVariable } from './environment';
import { freePorts } from '../kernel/free-port';
import { forward } from './forwarder';
import { mergeMetrics } from './metrics-text';
import type { RunningServices } from './running';
import { type InstalledService, installedServices } from '../kernel/service-list';

interface Ports {
  readonly public: number;
  readonly internal: number;
}

/** A service that ends at once starts again this long after it. */
const RESTART_AFTER_MS = 250;

/** One service in its own process, restarted whenever it exits by itself. */
class ServiceProcess {
  private child: ChildProcess | undefined;
  private stopping = false;
  private lives = 0;

  constructor(
    readonly service: InstalledService,
    readonly ports: Ports,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly log: number,
    private readonly failpoint: string | undefined,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): Promise<void> {
    this.lives += 1;
    const child = fork(require.resolve(this.service.program), [], {
      env: { ...this.environment, ...failpointVariable(this.failpoint, this.service.name, this.lives) },
      stdio: ['ignore', this.log, this.log, 'ipc'],
      execArgv: [],
    });
    this.child = child;
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code, signal) => {
        reject(new Error(`${this.service.name} ended with ${signal ?? code}; the log says why.`));
        setTimeout(() => this.restart(), RESTART_AFTER_MS);
      });
    });
  }

  private restart(): void {
    if (!this.stopping) this.start().catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(timer);
  }
}

const text = async (port: number, path: string): Promise<{ ok: boolean; body: string }> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(3_000) });
    return { ok: answer.ok, body: await answer.text() };
  } catch {
    return { ok: false, body: '' };
  }
};

/** Different ports for each of so many processes of every service. */
const portsOfServices = async (replicas: number): Promise<ReadonlyMap<string, readonly Ports[]>> => {
  const ports = await freePorts(installedServices.length * replicas * 2);
  const next = (): Ports => ({ public: ports.pop() ?? 0, internal: ports.pop() ?? 0 });
  return new Map(installedServices.map(({ name }) => [name, Array.from({ length: replicas }, next)]));
};

/**
 * Addresses of the services: direct, or through this program if a service has several processes. This program balances
 * requests among them, as the network of a cluster does.
 */
const addressesOf = (ports: ReadonlyMap<string, readonly Ports[]>, internalPort: number): string => {
  const shared = `http://127.0.0.1:${internalPort}`;
  const services = [...ports].map(([name, ownPorts]) => {
    const [first, ...others] = ownPorts;
    return `${name}=${first === undefined || others.length > 0 ? `${shared}/${name}` : `http://127.0.0.1:${first.internal}`}`;
  });
  return [...services, `standalone=${shared}`].join(',');
};

/** Runs every service as its own program on the same engines: the network path of production, on one machine. */
export const startProcesses = async (
  dependencies: EnvironmentDependencies,
  internalPort: number,
  metrics: Metrics,
): Promise<RunningServices> => {
  const keys = await ServiceKeys.generate();
  const ports = await portsOfServices(dependencies.start.replicas ?? 1);
  const internalUrl = addressesOf(ports, internalPort);
  const log = openSync(dependencies.directory.log, 'a');
  const processOf = (service: InstalledService, ownPorts: Ports): ServiceProcess => {
    const shared = environmentOf(service.name, { ...dependencies, internalUrl });
    const environment = {
      ...shared,
      // This program is the last proxy before each process.
      ACERVO_TRUSTED_PROXIES: String(Number(shared['ACERVO_TRUSTED_PROXIES'] ?? 0) + 1),
      ACERVO_PORT: String(ownPorts.public),
      ACERVO_INTERNAL_PORT: String(ownPorts.internal),
    };
    return new ServiceProcess(service, ownPorts, environment, log, dependencies.start.failpoint);
  };
  const processes = installedServices.flatMap((service) =>
    (ports.get(service.name) ?? []).map((ownPorts) => processOf(service, ownPorts)),
  );
  try {
    await Promise.all(processes.map((each) => each.start()));
  } catch (error) {
    await Promise.all(processes.map((each) => each.stop()));
    throw error;
  }
  const transport = new HttpTransport(
    (service) => `http://127.0.0.1:${ports.get(service)?.[0]?.internal ?? 0}`,
    new ProofMint('standalone', keys),
  );
  const handlers = (listener: keyof Ports) =>
    new Map([...ports].map(([name, ownPorts]) => [name, forward(ownPorts.map((one) => one[listener]))]));
  const isReady = async (ownPorts: readonly Ports[]): Promise<boolean> => {
    const answers = await Promise.all(ownPorts.map(({ internal }) => text(internal, '/health/ready')));
    return answers.some(({ ok }) => ok);
  };
  // Metrics of two processes of one service would have the same names: only the first process reports.
  const figures = (): Promise<{ body: string }[]> =>
    Promise.all([...ports.values()].map(([first]) => text(first?.internal ?? 0, '/metrics')));
  return {
    // Each process connects to Kafka itself, and is restarted when it exits.
    working: Promise.resolve(),
    publicHandlers: handlers('public'),
    internalHandlers: handlers('internal'),
    calls: new RoutedCalls('standalone', new Map(), transport, metrics),
    keys: () => keys.published,
    readiness: async () =>
      Object.fromEntries(
        await Promise.all([...ports].map(async ([name, ownPorts]) => [name, await isReady(ownPorts)] as const)),
      ),
    metrics: async () => mergeMetrics([...(await figures()).map(({ body }) => body), await metrics.registry.metrics()]),
    close: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      transport.close();
      closeSync(log);
    },
  };
};
