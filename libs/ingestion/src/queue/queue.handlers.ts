import { Injectable } from '@nestjs/common';
import {
  type Empty,
  Forbidden,
  type IngestionProgress,
  ingestionProgress,
  listQueue,
  listRunQueue,
  type LlmAlertsRequest,
  NotFound,
  type PipelineSummary,
  type Queue,
  type QueueRequest,
  resolveLlmAlerts,
  type ResolvedLlmAlerts,
  type RunQueueRequest,
  summarisePipeline,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { WorkSignals } from '@acervo/platform-queue';
import { followsIngestion, reaches, type Scope, visibilityOf, type WorkScope } from '@acervo/rbac';
import { ProgressStore } from './progress.store';
import { QueueStore } from './queue.store';
import { RunStore } from '../scans/run.store';
import { pipelineSkill } from '../skills/pipeline-skills';
import { productSkill } from '../skills/product-skills';
import { SKILL, SkillQueueStore } from './skill-queue.store';

/** Lists the tasks of documents: waiting ones, and their progress. */
@Injectable()
export class QueueHandlers {
  constructor(
    private readonly queue: QueueStore,
    private readonly runs: RunStore,
    private readonly progresses: ProgressStore,
    private readonly skills: SkillQueueStore,
    private readonly signals: WorkSignals,
  ) {}

  @Handles(ingestionProgress)
  progress(scope: WorkScope, _input: Empty): Promise<IngestionProgress> {
    return this.progresses.read(scope);
  }

  /** @throws Forbidden for more than own runs of skills, by callers who do not follow the work on documents */
  @Handles(listQueue)
  list(scope: Scope, request: QueueRequest): Promise<Queue> {
    const isOwn = !reaches(scope, followsIngestion);
    if (isOwn && request.process !== SKILL) throw new Forbidden();
    return this.queue.list(visibilityOf(scope), { ...request, isOwn, userId: scope.userId });
  }

  @Handles(listRunQueue)
  async listOfRun(scope: Scope, { run, status, limit }: RunQueueRequest): Promise<Queue> {
    const visibility = visibilityOf(scope);
    await this.runs.documentsAtWork(visibility, run);
    return this.queue.list(visibility, {
      run,
      limit,
      userId: scope.userId,
      ...(status === undefined ? {} : { status }),
    });
  }

  @Handles(summarisePipeline)
  summary(scope: Scope, _input: Empty): Promise<PipelineSummary> {
    return this.queue.summary(visibilityOf(scope), scope.userId);
  }

  @Handles(resolveLlmAlerts)
  async resolve(scope: Scope, request: LlmAlertsRequest, context: WriteContext): Promise<ResolvedLlmAlerts> {
    const { skillCode } = request;
    const skill = skillCode === undefined || productSkill(skillCode) || pipelineSkill(skillCode);
    if (skill === undefined) throw new NotFound();
    const stages: string[] = [];
    const resolved = await context.write(async (tx) => {
      const resumed = await this.skills.resume(tx, visibilityOf(scope), request);
      stages.push(...resumed.stages);
      return resumed.answer;
    });
    for (const stage of stages) await this.signals.notify(scope.groupId, stage);
    return resolved;
  }
}
