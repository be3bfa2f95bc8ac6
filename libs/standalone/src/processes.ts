import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Agent, request as httpRequest, type RequestListener } from 'node:http';
import { HttpTransport, ProofMint, RoutedCalls, ServiceKeys } from '@acervo/platform-calls';
import { Metrics } from '@acervo/platform-observability';
import { type EnvironmentParts, environmentOf, failpointVariable } from './environment';
import { freePort } from './free-port';
import { mergeMetrics } from './metrics-text';
import type { RunningServices } from './running';
import { type InstalledService, installedServices } from './service-list';

interface Ports {
  readonly public: number;
  readonly internal: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** Passes a request on to a port of this machine, and its answer back, as they are. */
const forward =
  (port: number): RequestListener =>
  (request, response) => {
    const { method, url, headers } = request;
    const onward = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end('{}');
    });
    request.pipe(onward);
  };

/** One service in a process of its own; started again whenever it ends by itself. */
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
        if (!this.stopping) setTimeout(() => void this.start().catch(() => undefined), 250);
      });
    });
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

/** Runs every service as its own program on the same engines: the network path of production, on one machine. */
export const startProcesses = async (parts: EnvironmentParts, internalPort: number): Promise<RunningServices> => {
  const keys = await ServiceKeys.generate();
  const metrics = new Metrics('standalone');
  const ports = new Map<string, Ports>();
  for (const { name } of installedServices) ports.set(name, { public: await freePort(), internal: await freePort() });
  const addresses = [
    ...[...ports].map(([name, { internal }]) => [name, internal] as const),
    ['standalone', internalPort] as const,
  ];
  const internalUrl = addresses.map(([name, port]) => `${name}=http://127.0.0.1:${port}`).join(',');
  const log = openSync(parts.directory.log, 'a');
  const processes = installedServices.map((service) => {
    const own = ports.get(service.name) ?? { public: 0, internal: 0 };
    const environment = {
      ...environmentOf(service.name, { ...parts, internalUrl }),
      ACERVO_PORT: String(own.public),
      ACERVO_INTERNAL_PORT: String(own.internal),
    };
    return new ServiceProcess(service, own, environment, log, parts.start.failpoint);
  });
  await Promise.all(processes.map((each) => each.start()));
  const transport = new HttpTransport(
    (service) => `http://127.0.0.1:${ports.get(service)?.internal ?? 0}`,
    new ProofMint('standalone', keys),
  );
  const handlers = (face: keyof Ports) => new Map([...ports].map(([name, own]) => [name, forward(own[face])]));
  const each = <T>(work: (own: Ports) => Promise<T>): Promise<(readonly [string, T])[]> =>
    Promise.all([...ports].map(async ([name, own]) => [name, await work(own)] as const));
  return {
    publicHandlers: handlers('public'),
    internalHandlers: handlers('internal'),
    calls: new RoutedCalls('standalone', new Map(), transport, metrics),
    keys: () => keys.published,
    readiness: async () =>
      Object.fromEntries(await each(async ({ internal }) => (await text(internal, '/health/ready')).ok)),
    metrics: async () =>
      mergeMetrics((await each(({ internal }) => text(internal, '/metrics'))).map(([, { body }]) => body)),
    close: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      transport.close();
      closeSync(log);
    },
  };
};
