import type { Processor, Queue, Worker } from 'bullmq';

/** What a doorbell says: there is work of this stage in this group. Nothing else; the work stands in its table. */
export interface Ring {
  readonly groupId: string;
  readonly stage: string;
}

export type RingQueue = Queue<Ring, void>;
export type RingWorker = Worker<Ring, void>;

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
