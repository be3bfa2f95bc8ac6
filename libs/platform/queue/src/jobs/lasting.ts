import { setTimeout as pause } from 'node:timers/promises';
import type { JobsOptions } from 'bullmq';
import type { Ring, RingQueue, RingWorker } from './job-backend';

/** Something of the job library that asks its database once whether it fits, and keeps the answer for its whole life. */
interface Opened {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

const AGAIN_MS = 500;

/**
 * Keeps one of these open. One whose database went away while it asked would refuse everything from then on, and a
 * worker would do so in a loop that lets nothing else run: another one takes its place.
 */
class Lasting<T extends Opened> {
  private current: T | undefined;

  /** @param reach throws while the database is away: what is opened then leaves its listeners on the shared pool */
  constructor(
    private readonly reach: () => Promise<unknown>,
    private readonly open: () => T,
  ) {}

  /** @throws while the database is away */
  async ready(): Promise<T> {
    if (this.current === undefined) await this.reach();
    const mine = (this.current ??= this.open());
    try {
      await mine.waitUntilReady();
      return mine;
    } catch (error) {
      if (this.current === mine) this.current = undefined;
      await mine.close().catch(() => undefined);
      throw error;
    }
  }

  async end(how: 'close' | 'disconnect'): Promise<void> {
    await this.current?.[how]();
  }
}

type Queued = RingQueue & Opened;

/** A queue that outlives the absence of its database, whenever that begins. */
export class LastingQueue implements RingQueue {
  private readonly queue: Lasting<Queued>;

  constructor(reach: () => Promise<unknown>, open: () => Queued) {
    this.queue = new Lasting(reach, () => {
      const queue = open();
      // Whoever asks hears of it.
      queue.on('error', () => undefined);
      return queue;
    });
  }

  async add(name: string, data: Ring, options: JobsOptions): Promise<unknown> {
    return (await this.queue.ready()).add(name, data, options);
  }

  async getJob(id: string): Promise<unknown> {
    return (await this.queue.ready()).getJob(id);
  }

  async getWaitingCount(): Promise<number> {
    return (await this.queue.ready()).getWaitingCount();
  }

  on(): this {
    return this;
  }

  close(): Promise<void> {
    return this.queue.end('close');
  }

  disconnect(): Promise<void> {
    return this.queue.end('disconnect');
  }
}

/** Opened, and at work only when it is run. */
type Working = RingWorker & Opened & { run(): Promise<void> };

/** A worker that begins when its database answers, whenever that is. */
export class LastingWorker implements RingWorker {
  private readonly worker: Lasting<Working>;
  private readonly listeners: ((worker: Working) => unknown)[] = [];
  private isEnded = false;

  constructor(reach: () => Promise<unknown>, open: () => Working) {
    this.worker = new Lasting(reach, () => {
      const worker = open();
      for (const attach of this.listeners) attach(worker);
      return worker;
    });
    // Whoever opened it listens by then.
    setImmediate(() => void this.begin());
  }

  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'failed', listener: (job: unknown, error: Error) => void): this;
  on(event: 'completed', listener: (job: { readonly data: Ring }) => void): this;
  on(event: never, listener: never): this {
    this.listeners.push((worker) => worker.on(event, listener));
    return this;
  }

  close(): Promise<void> {
    this.isEnded = true;
    return this.worker.end('close');
  }

  disconnect(): Promise<void> {
    this.isEnded = true;
    return this.worker.end('disconnect');
  }

  private async begin(): Promise<void> {
    while (!this.isEnded) {
      const worker = await this.worker.ready().catch(() => undefined);
      if (worker !== undefined) return this.isEnded ? undefined : worker.run().catch(() => undefined);
      await pause(AGAIN_MS);
    }
  }
}
