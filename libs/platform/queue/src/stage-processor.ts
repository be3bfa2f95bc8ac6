import { BullRegistrar } from '@nestjs/bullmq';
import type { WorkSignals } from './work-signals';
import { ExpressWorker } from './express-worker';
import type { JobWarnings } from './jobs/job-warnings';
import type { StageRunner } from './stage-runner';
import type { QueueWorker } from './queue-worker';
import { type BoundStage, capacitiesOf, capacityOf, type WorkShare } from './stages';
import type { Tasks } from './tasks';

/** Works the jobs of a service: the queue of each capacity with its own slots, and urgent tasks at once. */
export class StageProcessor {
  private urgent: ExpressWorker | undefined;
  private readonly stopping = new AbortController();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly registrar: BullRegistrar,
    private readonly runner: StageRunner,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly warnings: JobWarnings,
    private readonly workers: readonly QueueWorker[],
  ) {}

  /**
   * Starts to work these stages with this many batches of each capacity at a time; no batch runs before. Stages beyond
   * the share of the process are left to others.
   */
  start(bound: readonly BoundStage[], concurrency: number, share: WorkShare = 'all'): void {
    const capacities = capacitiesOf(share);
    const worked = bound.filter(({ stage }) => capacities.includes(capacityOf(stage)));
    const used = new Set(worked.map(({ stage }) => capacityOf(stage)));
    const stages = new Map(worked.map((each) => [each.stage.name, each]));
    this.runner.bind(worked);
    this.urgent = new ExpressWorker(stages, this.runner, (error) => this.warnings.warn(error));
    this.workSignals.workUrgent(this.urgent, this.tasks);
    this.registrar.register();
    // A worker asks its queue while it rests, so one without a stage is not run.
    for (const worker of this.workers.filter(({ capacity }) => used.has(capacity)))
      void worker.run(stages, concurrency, this.stopping.signal);
  }

  /** Interrupts the batches in progress and waits for their end; a second call waits for the same end. */
  stop(): Promise<void> {
    this.stopping.abort();
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.runner.interrupt();
    if (this.urgent === undefined) return;
    await Promise.all([this.urgent.stop(), ...this.workers.map((worker) => worker.close())]);
  }
}
