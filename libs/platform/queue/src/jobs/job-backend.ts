import type { JobsOptions, Processor } from 'bullmq';

/** What a doorbell says: there is work of this stage in this group. The work itself stands in its table. */
export interface Ring {
  readonly groupId: string;
  readonly stage: string;
  /** The trace of whoever rang first, as `traceparent` tells it; what the rows of the work say goes before. */
  readonly traceparent?: string | null;
}

/** What is asked of a queue of the job library, whatever it stands on. */
export interface RingQueue {
  add(name: string, data: Ring, options: JobsOptions): Promise<unknown>;
  getJob(id: string): Promise<unknown>;
  getWaitingCount(): Promise<number>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** What is asked of a worker of the job library. */
export interface RingWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown;
  on(event: 'completed', listener: (job: { readonly data: Ring }) => void): unknown;
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A worker that is gone is missed within so many milliseconds, and its ring is heard by another. */
export const WORKER = { stalledInterval: 5_000, lockDuration: 15_000 } as const;

/** What the job library stands on. Rings may be lost with it, work may not: that stands in its table. */
export abstract class JobBackend {
  /** Whether it is an engine beside the database, without which work waits and everything else goes on. */
  abstract readonly remote: boolean;

  abstract openQueue(name: string): RingQueue;

  abstract openWorker(name: string, work: Processor<Ring, void>, concurrency: number): RingWorker;

  /** Whether it answers. */
  abstract ping(): Promise<void>;

  /** After its queues and workers are closed. */
  abstract close(): Promise<void>;
}
