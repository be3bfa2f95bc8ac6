import { Injectable } from '@nestjs/common';
import { type Lease, RunsStages, type Stage, type StageWorker } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Handover } from './handover';
import { Pipeline } from './pipeline';
import { pipelineOrder } from './pipeline-table';
import { StepOutcomes } from './step-outcomes';
import { PipelineSteps } from './steps/pipeline-steps';

/** The stages of a document, each worked by its step; the one without a step hands over. */
@Injectable()
export class PipelineStages implements StageWorker {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly steps: PipelineSteps,
    private readonly handover: Handover,
    private readonly outcomes: StepOutcomes,
  ) {}

  @RunsStages(pipelineOrder.stages)
  work(stage: Stage, scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const step = this.steps.of(stage);
    return step === undefined
      ? this.handover.handOver(scope, leases)
      : this.pipeline.work(scope, step, leases, stopping);
  }

  exhausted(scope: WorkScope, lease: Lease, reason: string): Promise<void> {
    return this.outcomes.giveUp(scope, lease, reason);
  }
}
