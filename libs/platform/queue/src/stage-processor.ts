import { BullRegistrar, OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type Type } from '@nestjs/common';
import type { Job, Worker } from 'bullmq';
import { retryUntilStopped } from '@acervo/platform-resilience';
import { WorkSignals } from './work-signals';
import { closeJobs } from './jobs/close-jobs';
import { JobBackend, type WorkSignal } from './jobs/job-backend';
import { JobWarnings } from './jobs/job-warnings';
import { StageRunner } from './stage-runner';
import type { BoundStage } from './stages';
import { Tasks } from './tasks';
import { ExpressWorker } from './express-worker';

/** A dead worker is detected within this time, and another worker takes up its job. */
const WORKER = { autorun: false, stalledInterval: 5_000, lockDuration: 15_000 } as const;
const RETRY_MS = 500;

/** Works the jobs of a service. Each job is one batch of a stage and group, so groups take turns. */
@Injectable()
export abstract class StageProcessor extends WorkerHost<Worker<WorkSignal, void>> {
  private stages: ReadonlyMap<string, BoundStage> = new Map();
  private urgent: ExpressWorker | undefined;
  private readonly stopping = new AbortController();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly registrar: BullRegistrar,
    private readonly runner: StageRunner,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly jobs: JobBackend,
    private readonly warnings: JobWarnings,
  ) {
    super();
  }

  /** Starts to work these stages with this many batches at a time; no batch runs before. */
  start(stages: readonly BoundStage[], concurrency: number): void {
    this.stages = new Map(stages.map((bound) => [bound.stage.name, bound]));
    this.urgent = new ExpressWorker(this.stages, this.runner, (error) => this.warnings.warn(error));
    this.workSignals.workUrgent(this.urgent, this.tasks);
    this.registrar.register();
    this.worker.concurrency = concurrency;
    void this.run();
  }

  async process({ data }: Job<WorkSignal, void>): Promise<void> {
    const bound = this.stages.get(data.stage);
    if (bound !== undefined) await this.runner.runBatch(bound, data.groupId, false, data.traceparent);
  }

  /** The job is removed now, so a signal that arrived meanwhile can be added. */
  @OnWorkerEvent('completed')
  async ringAgain({ data: { groupId, stage } }: Job<WorkSignal, void>): Promise<void> {
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

  /** Ends after the batches in progress; a second call waits for the same end. */
  stop(): Promise<void> {
    this.stopping.abort();
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    if (this.urgent === undefined) return;
    await this.urgent.stop();
    await closeJobs(this.worker, this.jobs);
  }

  /** Runs the worker once its backend answers, without a time limit. */
  private async run(): Promise<void> {
    const { signal: stopped } = this.stopping;
    await retryUntilStopped(() => this.worker.waitUntilReady(), { waitMs: () => RETRY_MS, stopped });
    if (!stopped.aborted) await this.worker.run().catch(() => undefined);
  }
}

/** The processor of one queue. Each queue needs its own class, because services of one process have separate queues. */
export const stageProcessorOf = (queue: string): Type<StageProcessor> => {
  @Processor(queue, WORKER)
  class QueueStageProcessor extends StageProcessor {}
  return QueueStageProcessor;
};
