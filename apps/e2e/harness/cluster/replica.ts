import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { get } from 'node:https';
import { forkOwned, until } from '@acervo/platform-testing';
import type { Environment } from '../deployment/composed-environments';

/** One process of a service: its main file, environment, port of probes and log. */
export interface ReplicaRequest {
  readonly service: string;
  readonly entry: string;
  readonly environment: Environment;
  readonly internalPort: number;
  readonly log: string;
  readonly cwd: string;
}

/** How a process ended after its signal. */
export interface ReplicaEnd {
  readonly service: string;
  readonly code: number | null;
  /** The signal that ended it; SIGKILL where it outlived its grace. */
  readonly signal: NodeJS.Signals | null;
  readonly seconds: number;
}

const PROBE_TIMEOUT_MS = 1_000;

/** A process that is probed, stopped and killed as a pod is. */
export class Replica {
  private readonly child: ChildProcess;
  private readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  constructor(private readonly request: ReplicaRequest) {
    const { entry, environment, log, cwd } = request;
    const output = openSync(log, 'a');
    // Its parent would be asked to end it; a pod has none.
    this.child = forkOwned('replica', entry, [], {
      ...{ env: environment, cwd, execArgv: [] },
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    this.child.unref();
    this.exited = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until its readiness answers 200. @throws with the end of its log when it ends before that, or after `ms` */
  async ready(ms: number): Promise<void> {
    const what = (): string => `${this.request.service} is ready; its log:\n${this.lastLines()}`;
    const isReady = async (): Promise<boolean> => {
      if (this.hasEnded) throw new Error(`${this.request.service} ended before it was ready:\n${this.lastLines()}`);
      return (await this.probe('/health/ready')) === 200;
    };
    await until(what, isReady, ms);
  }

  /** The status of a probe; 0 without an answer. */
  probe(path: '/health/ready' | '/health/live'): Promise<number> {
    return new Promise((resolve) => {
      const asked = { host: '127.0.0.1', port: this.request.internalPort, path, timeout: PROBE_TIMEOUT_MS };
      // As the probes of Kubernetes, which check no certificate.
      const sent = get({ ...asked, rejectUnauthorized: false, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(0));
    });
  }

  /** Sends SIGTERM, and SIGKILL after its grace. */
  async stop(graceMs: number): Promise<ReplicaEnd> {
    const started = performance.now();
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), graceMs);
    const { code, signal } = await this.exited;
    clearTimeout(late);
    return { service: this.request.service, code, signal, seconds: (performance.now() - started) / 1_000 };
  }

  lastLines(): string {
    return readFileSync(this.request.log, 'utf8').slice(-2_000);
  }
}
