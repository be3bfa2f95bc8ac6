import { Injectable } from '@nestjs/common';
import {
  type Empty,
  type IngestionProgress,
  ingestionProgress,
  listQueue,
  listRunQueue,
  type PipelineSummary,
  type Queue,
  type QueueRequest,
  type RunQueueRequest,
  summarisePipeline,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { type Scope, visibilityOf, type WorkScope } from '@acervo/rbac';
import { ProgressStore } from './progress.store';
import { QueueStore } from './queue.store';
import { RunStore } from '../scans/run.store';

/** Lists the tasks of documents: waiting ones, and their progress. */
@Injectable()
export class QueueHandlers {
  constructor(
    private readonly queue: QueueStore,
    private readonly runs: RunStore,
    private readonly progresses: ProgressStore,
  ) {}

  @Handles(ingestionProgress)
  progress(scope: WorkScope, _input: Empty): Promise<IngestionProgress> {
    return this.progresses.read(scope);
  }

  @Handles(listQueue)
  list(scope: Scope, request: QueueRequest): Promise<Queue> {
    return this.queue.list(visibilityOf(scope), { ...request, userId: scope.userId });
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
    return this.queue.summary(visibilityOf(scope));
  }
}
