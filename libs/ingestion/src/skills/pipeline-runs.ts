import { Injectable } from '@nestjs/common';
import type { Lease } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { SkillWork } from './document-skill.store';
import type { PipelineSkill } from './pipeline-skills';

/** A run of a skill of the pipeline that a worker has begun. */
export interface PipelineRun {
  readonly lease: Lease;
  readonly work: SkillWork;
  readonly skill: PipelineSkill;
  readonly stopping: AbortSignal;
}

/** Works runs of skills of the pipeline, and ends their tasks. */
export interface PipelineRunner {
  run(scope: WorkScope, run: PipelineRun): Promise<void>;
}

/** What works the runs of skills of the pipeline: the feature that their findings belong to. */
@Injectable()
export class PipelineRuns {
  private runner: PipelineRunner | undefined;

  register(runner: PipelineRunner): void {
    this.runner = runner;
  }

  async run(scope: WorkScope, run: PipelineRun): Promise<void> {
    if (this.runner === undefined) throw new Error('No runner of the skills of the pipeline is registered.');
    await this.runner.run(scope, run);
  }
}
