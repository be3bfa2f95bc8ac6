import { type ChildProcess, fork } from 'node:child_process';
import { type Precision, SERVE_PROCESS, type ServerReport } from '@acervo/models/e5';
import type { Logger } from '@acervo/platform-observability';
import { exponential, Periodic } from '@acervo/platform-resilience';

export interface E5ProcessOptions {
  /** Directory of the converted model. */
  readonly directory: string;
  readonly port: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const LOOK_EVERY_MS = 5_000;
const MOST_SILENCES = 6;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 10_000;

/**
 * The process whose threads run the model. ONNX Runtime can abort the process in which it runs; this one is
 * health-checked, and restarted when it exits or stops answering. It ends when its parent ends.
 */
export class E5Process {
  private child: ChildProcess | undefined;
  private stopping = false;
  private readonly looks = new Periodic(() => this.look(), { everyMs: LOOK_EVERY_MS });
  private failures = 0;
  private silences = 0;
  private chosen: Precision | undefined;

  constructor(private readonly options: E5ProcessOptions) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** How the process multiplies, which its self-test chose; undefined before its start. */
  get precision(): Precision | undefined {
    return this.chosen;
  }

  /** Resolves when the process answers. @throws Error with the reason if it cannot */
  async start(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => this.spawn(resolve, reject));
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.looks.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    void this.looks.stop();
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  }

  /** @param failed called when the process ends before it is ready, in its first life */
  private spawn(ready: () => void = () => undefined, failed?: (error: Error) => void): void {
    const { directory, port, logger } = this.options;
    const args = [directory, String(port)];
    const child = fork(SERVE_PROCESS, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {}, execArgv: [] });
    this.child = child;
    let [isReady, reason] = [false, 'its process ended'];
    child.on('error', () => undefined);
    child.stderr?.on('data', (data: Buffer) =>
      logger.warn({ line: data.toString().slice(0, 500) }, 'embedder process'),
    );
    child.on('message', (report: ServerReport) => {
      if ('failed' in report) reason = report.failed;
      if ('threadEnded' in report) logger.warn(report, 'a thread of the embedder ended; it starts again');
      if (!('ready' in report)) return;
      isReady = true;
      this.chosen = report.precision;
      logger.info(report, 'the embedder answers');
      ready();
    });
    child.once('close', (code, signal) => {
      if (failed !== undefined && !isReady) failed(new Error(reason));
      else this.ended(code, signal);
    });
  }

  private ended(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.stopping) return;
    this.failures += 1;
    this.options.logger.warn({ code, signal, failures: this.failures }, 'the embedder process ended; it starts again');
    const wait = exponential(this.failures, FIRST_WAIT_MS, LONGEST_WAIT_MS);
    setTimeout(() => this.stopping || this.spawn(), wait).unref();
  }

  /** A live process that does not answer for 30 s counts as hung. */
  private async look(): Promise<void> {
    const answers = await this.answers();
    this.silences = answers ? 0 : this.silences + 1;
    if (answers) this.failures = 0;
    if (this.silences < MOST_SILENCES) return;
    this.silences = 0;
    this.child?.kill('SIGKILL');
  }

  private answers(): Promise<boolean> {
    return fetch(`${this.url}/health`, { signal: AbortSignal.timeout(2_000) }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
  }
}
