/** One piece of work, held by one worker until it is given back or the lease runs out. */
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
  /** The trace that it belongs to, as `traceparent` tells it. */
  readonly trace?: string | null;
}

/** Work as it is taken up. */
export interface Claimed extends Lease {
  /** How often a worker ended, or fell silent, while it held this. */
  readonly deaths: number;
}

/** Somebody else holds the work by now, or it is over: the result of this worker must not count. */
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
  /** Begins no earlier than after so long. */
  readonly delayMs?: number;
}
