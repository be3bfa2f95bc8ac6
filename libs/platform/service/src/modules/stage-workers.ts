import { Injectable } from '@nestjs/common';
import { Logger } from '@acervo/platform-observability';
import { type BoundStage, WorkSignals, TaskReconciler, StageProcessor, WorkFigures } from '@acervo/platform-queue';
import { CoalescingRunner } from '@acervo/platform-resilience';
import { WorkConfig } from '../settings/work-config';

/** Works the stages of a service: on work signals, at once after events, and where a signal was lost. */
@Injectable()
export class StageWorkers {
  private stages: readonly BoundStage[] = [];
  /** Starts tasks of handled events at once; lost signals are left to the task reconciler. */
  private readonly afterEvents: CoalescingRunner;

  constructor(
    private readonly workSignals: WorkSignals,
    private readonly taskReconciler: TaskReconciler,
    private readonly processor: StageProcessor,
    private readonly figures: WorkFigures,
    private readonly config: WorkConfig,
    private readonly logger: Logger,
  ) {
    this.afterEvents = new CoalescingRunner(() => this.signalWaiting());
  }

  /** Sets the stages to work; called before `start`. */
  bind(stages: readonly BoundStage[]): void {
    this.stages = stages;
    this.workSignals.bind(stages.map(({ stage }) => stage));
  }

  /** @throws where the service has stages and cannot repeat lost work signals as configured */
  async check(): Promise<void> {
    if (this.stages.length > 0) await this.taskReconciler.assertLogin();
  }

  /** Starts the tasks that handled events enqueued. */
  continueAfterEvents(): void {
    if (this.stages.length === 0) return;
    this.workSignals.runUrgent();
    this.afterEvents.trigger();
  }

  start(): void {
    if (this.stages.length === 0) return;
    this.processor.start(this.stages, this.config.stageConcurrency, this.config.work);
    this.taskReconciler.start();
    this.figures.start(this.stages.map(({ stage }) => stage.name));
  }

  async stop(): Promise<void> {
    this.figures.stop();
    // Work signals close with the application: requests in progress may still send some.
    await Promise.all([this.processor.stop(), this.afterEvents.stop(), this.taskReconciler.stop()]);
  }

  private async signalWaiting(): Promise<void> {
    await this.taskReconciler
      .notifyWaiting(0)
      .catch((error: unknown) => this.logger.warn({ error }, 'work signals wait for the next run'));
  }
}
