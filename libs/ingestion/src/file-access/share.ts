import { Mutex } from '@acervo/platform-resilience';
import { AccessWorker } from './access-worker';
import { ShareUnresponsive } from './file-access';

export interface ShareLimits {
  /** Time without progress after which an access is given up. */
  readonly silenceMs: number;
  /** Time after a silence in which every access fails at once. */
  readonly restMs: number;
  /** Time without work after which a process ends. */
  readonly idleMs: number;
}

/**
 * One process at most that reads a share, one order at a time. A share that hung is left alone for a while, and for as
 * long as its killed process cannot exit: a hung share costs one process.
 */
export class Share {
  private readonly mutex = new Mutex();
  private worker: AccessWorker | undefined;
  private stuck: AccessWorker | undefined;
  private restsUntil = 0;
  private idle: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly limits: ShareLimits,
    private readonly log: (event: string) => void,
  ) {}

  /** Process id of the current process, for tests that stop it. */
  get pid(): number | undefined {
    return this.worker?.pid;
  }

  /** @throws ShareUnresponsive, and what the work throws */
  run<T>(work: (worker: AccessWorker) => Promise<T>): Promise<T> {
    return this.mutex.run(() => this.runNow(work));
  }

  /** Ends the process without waiting: it may hang in the kernel. */
  close(): void {
    this.closed = true;
    clearTimeout(this.idle);
    this.worker?.kill();
  }

  private async runNow<T>(work: (worker: AccessWorker) => Promise<T>): Promise<T> {
    if (this.closed || this.stuck !== undefined || performance.now() < this.restsUntil) throw new ShareUnresponsive();
    clearTimeout(this.idle);
    if (this.worker?.isOver !== false) this.worker = new AccessWorker(this.limits.silenceMs);
    const { worker } = this;
    try {
      return await work(worker);
    } catch (error) {
      if (error instanceof ShareUnresponsive) this.leave(worker);
      throw error;
    } finally {
      this.idle = setTimeout(() => worker.kill(), this.limits.idleMs);
      this.idle.unref();
    }
  }

  private leave(worker: AccessWorker): void {
    this.restsUntil = performance.now() + this.limits.restMs;
    this.stuck = worker;
    worker.kill();
    void worker.gone.then(() => (this.stuck = undefined));
    if (!this.closed) this.log('a share does not answer; it rests');
  }
}
