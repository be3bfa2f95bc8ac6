import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type Type } from '@nestjs/common';
import type { Job, Worker } from 'bullmq';
import { retryUntilStopped } from '@acervo/platform-resilience';
import { WorkSignals } from './work-signals';
import { closeJobs } from './jobs/close-jobs';
import { JobBackend, type WorkSignal } from './jobs/job-backend';
import { JobWarnings } from './jobs/job-warnings';
import { StageRunner } from './stage-runner';
import { type BoundStage, CAPACITIES, type Capacity } from './stages';
import { Tasks } from './tasks';
import { queueNameOf } from './work-queues';

/**
 * A dead worker is detected within `stalledInterval`, and another worker takes up its job. An idle worker waits for a
 * notification, and looks for a lost one every 20 seconds; the reconciler of tasks signals it before.
 */
const WORKER = { autorun: false, stalledInterval: 5_000, lockDuration: 15_000, drainDelay: 20 } as const;
const RETRY_MS = 500;

/**
 * Works the jobs of one queue. A job works batches of a stage and group for as long as no other job waits for its slot:
 * groups take turns, and a group alone needs no job for each batch.
 */
@Injectable()
export abstract class QueueWorker extends WorkerHost<Worker<WorkSignal, void>> {
  /** The stages whose signals lie in its queue. */
  abstract readonly capacity: Capacity;
  private stages: ReadonlyMap<string, BoundStage> = new Map();

  constructor(
    private readonly runner: StageRunner,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly jobs: JobBackend,
    private readonly warnings: JobWarnings,
  ) {
    super();
  }

  async process({ data }: Job<WorkSignal, void>): Promise<void> {
    const { groupId, stage, traceparent } = data;
    const bound = this.stages.get(stage);
    if (bound === undefined) return;
    this.workSignals.begun(data);
    try {
      for (let again = true; again;) {
        const worked = await this.runner.runBatch(bound, groupId, false, traceparent);
        again = worked > 0 && !(await this.workSignals.anyWaits(stage));
      }
    } finally {
      // Not at the end of the job: a job whose lock was lost ends without an event.
      this.workSignals.ended(data);
    }
  }

  /** The job is removed now, so a signal that arrived meanwhile can be added. */
  @OnWorkerEvent('completed')
  async repeatSignal({ data: { groupId, stage } }: Job<WorkSignal, void>): Promise<void> {
    try {
      if (this.stages.has(stage) && (await this.tasks.hasWaiting({ groupId }, stage)))
        await this.workSignals.notify(groupId, stage);
    } catch (error) {
      this.warnings.warn(error);
    }
  }

  @OnWorkerEvent('error')
  warn(error: Error): void {
    this.warnings.warn(error);
  }

  @OnWorkerEvent('failed')
  warnOfFailed(_job: Job<WorkSignal, void> | undefined, error: Error): void {
    this.warnings.warn(error);
  }

  /** Runs the worker once its backend answers, without a time limit. */
  async run(stages: ReadonlyMap<string, BoundStage>, concurrency: number, stopped: AbortSignal): Promise<void> {
    this.stages = stages;
    this.worker.concurrency = concurrency;
    await retryUntilStopped(() => this.worker.waitUntilReady(), { waitMs: () => RETRY_MS, stopped });
    if (!stopped.aborted) await this.worker.run().catch(() => undefined);
  }

  /** Ends after the batches in progress. */
  close(): Promise<void> {
    return closeJobs(this.worker, this.jobs);
  }
}

/** The workers of a service, one a queue. Each queue needs its own class. */
export const queueWorkersOf = (service: string): readonly Type<QueueWorker>[] =>
  CAPACITIES.map((capacity) => {
    @Processor(queueNameOf(service, capacity), WORKER)
    class WorkerOfQueue extends QueueWorker {
      readonly capacity = capacity;
    }
    return WorkerOfQueue;
  });
