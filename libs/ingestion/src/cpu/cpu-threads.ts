import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Cpu, type CpuJob } from './cpu';
import { type JobReply, type JobRequest, raiseFailure } from './job-messages';

/** The thread of a job ended before the job did; the job is retried. */
export class ThreadEnded extends Error {
  constructor() {
    super('The thread ended in the middle of its work.');
    this.name = 'ThreadEnded';
  }
}

/** A job took longer than its deadline, and its thread was ended. */
export class ThreadLate extends Error {
  constructor(name: string) {
    super(`The work ${name} was ended at its deadline.`);
    this.name = 'ThreadLate';
  }
}

interface Order {
  readonly request: JobRequest;
  readonly deadlineMs: number | undefined;
  readonly urgent: boolean;
  readonly done: (output: unknown) => void;
  readonly fail: (error: Error) => void;
}

/** Memory that a large document may fill in a thread without harm to the process. */
const LIMITS = { maxOldGenerationSizeMb: 1_024 };

const ENTRY = join('workers', 'cpu-worker.js');

/** The compiled entry: beside this folder, or in `dist` when this file runs from its source. */
const compiled = (): string => {
  const beside = join(__dirname, '..', ENTRY);
  return existsSync(beside) ? beside : join(__dirname, '..', '..', 'dist', ENTRY);
};

/** A few threads, one job each at a time. A dead thread fails its job and is replaced for the next one. */
export class CpuThreads extends Cpu {
  private readonly orders: Order[] = [];
  private readonly idle: Worker[] = [];
  private readonly busy = new Map<Worker, Order>();
  private readonly timers = new Map<Worker, NodeJS.Timeout>();

  constructor(
    private readonly most: number,
    private readonly entry = compiled(),
  ) {
    super();
  }

  override run<I, O>({ name, deadlineMs }: CpuJob<I, O>, input: I, urgent = false): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      const done = (output: unknown): void => resolve(output as O);
      const order: Order = { request: { name, input }, deadlineMs, urgent, done, fail: reject };
      const place = urgent ? this.orders.findIndex((other) => !other.urgent) : -1;
      this.orders.splice(place < 0 ? this.orders.length : place, 0, order);
      this.handOut();
    });
  }

  /** Ends the threads. */
  override async close(): Promise<void> {
    for (const { fail } of this.orders.splice(0)) fail(new ThreadEnded());
    await Promise.all([...this.idle.splice(0), ...this.busy.keys()].map((thread) => thread.terminate()));
  }

  private handOut(): void {
    while (this.orders.length > 0 && (this.idle.length > 0 || this.busy.size < this.most)) {
      const order = this.orders.shift();
      const thread = this.idle.pop() ?? this.open();
      if (order === undefined) return;
      this.busy.set(thread, order);
      this.watch(thread, order);
      thread.postMessage(order.request);
    }
  }

  private watch(thread: Worker, order: Order): void {
    if (order.deadlineMs === undefined) return;
    const end = (): void => {
      order.fail(new ThreadLate(order.request.name));
      void thread.terminate();
    };
    this.timers.set(thread, setTimeout(end, order.deadlineMs).unref());
  }

  private release(thread: Worker): Order | undefined {
    clearTimeout(this.timers.get(thread));
    this.timers.delete(thread);
    const order = this.busy.get(thread);
    this.busy.delete(thread);
    return order;
  }

  private open(): Worker {
    const thread = new Worker(this.entry, { resourceLimits: LIMITS });
    thread.unref();
    thread.on('message', (reply: JobReply) => this.settle(thread, reply));
    thread.on('error', () => undefined);
    thread.on('exit', () => this.replaceThread(thread));
    return thread;
  }

  private settle(thread: Worker, reply: JobReply): void {
    const order = this.release(thread);
    this.idle.push(thread);
    if ('output' in reply) order?.done(reply.output);
    else order?.fail(raiseFailure(reply.failure));
    this.handOut();
  }

  private replaceThread(thread: Worker): void {
    const order = this.release(thread);
    const place = this.idle.indexOf(thread);
    if (place >= 0) this.idle.splice(place, 1);
    order?.fail(new ThreadEnded());
    this.handOut();
  }
}
