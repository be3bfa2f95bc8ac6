import type { QueueOptions } from 'bullmq';

/** A work signal: this group has tasks of this stage. The tasks themselves stand in their table. */
export interface WorkSignal {
  readonly groupId: string;
  readonly stage: string;
  /** The trace of the first sender, as a `traceparent`; the trace in a task's row takes precedence. */
  readonly traceparent?: string | null;
}

/** The engine of the job library. It may lose signals; tasks cannot be lost, since they stand in their table. */
export abstract class JobBackend {
  /** Whether it is an engine beside the database. Without it tasks wait, and everything else continues. */
  abstract readonly remote: boolean;

  /** Options of queues and workers; the connection selects the backend (`backendByConnection`). */
  abstract readonly options: QueueOptions;

  /** Checks that the engine answers. */
  abstract ping(): Promise<void>;

  /** Called after its queues and workers are closed. */
  abstract close(): Promise<void>;
}
