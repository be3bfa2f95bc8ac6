import { Injectable } from '@nestjs/common';
import { type Lease, RunsStage, type StageWorker } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Handover } from './handover';
import { Pipeline } from './pipeline';
import { ACQUIRE, CHUNK, CLASSIFY, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from './stages';
import { StepOutcomes } from './step-outcomes';
import { PipelineSteps } from './steps/pipeline-steps';

type Leases = readonly Lease[];

/** The stages of a document, each worked by one method. */
@Injectable()
export class PipelineStages implements StageWorker {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly steps: PipelineSteps,
    private readonly handover: Handover,
    private readonly outcomes: StepOutcomes,
  ) {}

  @RunsStage(ACQUIRE)
  acquire(scope: WorkScope, leases: Leases, stopping: AbortSignal): Promise<void> {
    return this.pipeline.work(scope, this.steps.acquire, leases, stopping);
  }

  @RunsStage(EXTRACT)
  extract(scope: WorkScope, leases: Leases, stopping: AbortSignal): Promise<void> {
    return this.pipeline.work(scope, this.steps.extract, leases, stopping);
  }

  @RunsStage(CLASSIFY)
  classify(scope: WorkScope, leases: Leases, stopping: AbortSignal): Promise<void> {
    return this.pipeline.work(scope, this.steps.classify, leases, stopping);
  }

  @RunsStage(SUMMARISE)
  summarise(scope: WorkScope, leases: Leases, stopping: AbortSignal): Promise<void> {
    return this.pipeline.work(scope, this.steps.summarise, leases, stopping);
  }

  @RunsStage(CHUNK)
  chunk(scope: WorkScope, leases: Leases, stopping: AbortSignal): Promise<void> {
    return this.pipeline.work(scope, this.steps.chunk, leases, stopping);
  }

  @RunsStage(EMBED)
  embed(scope: WorkScope, leases: Leases, stopping: AbortSignal): Promise<void> {
    return this.pipeline.work(scope, this.steps.embed, leases, stopping);
  }

  @RunsStage(HAND_OVER)
  handOver(scope: WorkScope, leases: Leases): Promise<void> {
    return this.handover.handOver(scope, leases);
  }

  exhausted(scope: WorkScope, lease: Lease, reason: string): Promise<void> {
    return this.outcomes.giveUp(scope, lease, reason);
  }
}
