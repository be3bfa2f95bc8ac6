import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forkOwned } from '@acervo/platform-testing';
import {
  ComposedEnvironments,
  type Environment,
  type Service,
  SERVICES,
} from '../harness/deployment/composed-environments';
import { type Ended, runProgram } from '../harness/deployment/run-program';
import { freePort } from '../harness/program';

/** Number of attempts: an engine may be late on a busy machine. */
const STARTS = 5;

interface Ports {
  readonly public: number;
  readonly internal: number;
}

/** The services as `docker/compose.yaml` runs them, each with exactly its environment and secrets. */
export class Deployment {
  private readonly running = new Map<Service, ChildProcess>();

  private constructor(
    private readonly place: string,
    private readonly environments: ComposedEnvironments,
    private readonly ports: ReadonlyMap<Service, Ports>,
  ) {}

  /** @param documents the folder that ingestion sees as `/documents` */
  static async make(place: string, documents: string): Promise<Deployment> {
    const ports = new Map<Service, Ports>();
    for (const service of SERVICES) ports.set(service, { public: await freePort(), internal: await freePort() });
    return new Deployment(place, await ComposedEnvironments.make(place, documents), ports);
  }

  /** Public address of a service. */
  urlOf(service: Service): string {
    return `http://127.0.0.1:${this.ports.get(service)?.public ?? 0}`;
  }

  /** Runs a program with arguments to its end, in the environment of its service. */
  run(name: Service | 'migrate', argv: readonly string[], more: Environment = {}): Promise<Ended> {
    const environment = this.environmentOf(name, more);
    return runProgram(this.environments.entryOf(name), argv, { environment, cwd: this.place });
  }

  /** Starts services one by one, and waits until each answers. A failed service is started again, as compose does. */
  async start(services: readonly Service[] = SERVICES, more: Environment = {}): Promise<void> {
    for (const service of services)
      for (let tries = 1; ; tries += 1) {
        const why = await this.startOne(service, more);
        if (why === undefined) break;
        if (tries >= STARTS || this.environments.programOf(service).restart !== 'on-failure') throw new Error(why);
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
    const child = forkOwned('service', this.environments.entryOf(service), [], {
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

  private environmentOf(name: Service | 'migrate', more: Environment): Record<string, string> {
    const port = name === 'migrate' ? undefined : this.ports.get(name);
    const listening: Environment =
      port === undefined
        ? {}
        : { ACERVO_HOST: '127.0.0.1', ACERVO_PORT: String(port.public), ACERVO_INTERNAL_PORT: String(port.internal) };
    const peers = [...this.ports].map(([service, { internal }]) => `${service}=http://127.0.0.1:${internal}`);
    const here = { ...listening, ACERVO_INTERNAL_URL: peers.join(','), ACERVO_DRAIN_SECONDS: '0' };
    return this.environments.environmentOf(name, { ...here, ...more });
  }
}
