/** A task leased to one worker until the worker returns it or the lease expires. */
export interface Lease<P = unknown> {
  readonly groupId: string;
  readonly subjectId: string;
  readonly stage: string;
  readonly generation: number;
  /** Tries so far, this one included. */
  readonly attempts: number;
  readonly priority: number;
  readonly token: string;
  readonly payload: P;
  /** The trace of the task, as a `traceparent`. */
  readonly trace?: string | null;
}

/** A task as `claim` returns it. */
export interface Claimed extends Lease {
  /** How often a worker died, or let the lease expire, with this task. */
  readonly deaths: number;
}

/** Another worker owns the lease, or the task is over: the result of this worker must not count. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease ran out and the work was taken by another worker; its result counts, this one does not.');
    this.name = 'LeaseLost';
  }
}

export interface NewTask {
  readonly subjectId: string;
  readonly stage: string;
  readonly generation: number;
  readonly payload?: object;
  readonly priority?: number;
  /** The earliest start, in milliseconds from now. */
  readonly delayMs?: number;
  /** Why it waits. */
  readonly reason?: string;
  /** The trace that caused it, as a `traceparent`; that of the work in progress where it is absent. */
  readonly trace?: string | null | undefined;
}
