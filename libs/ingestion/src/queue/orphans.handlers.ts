import { Injectable } from '@nestjs/common';
import { listOrphans, type OrphansRequest, type Queue } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { WorkSignals } from '@acervo/platform-queue';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { QueueStore } from './queue.store';

/** Lists tasks that no worker processes. */
@Injectable()
export class OrphansHandlers {
  constructor(
    private readonly queue: QueueStore,
    private readonly workSignals: WorkSignals,
  ) {}

  /** A stage with a pending signal has a worker on its way to all its tasks in the group. */
  @Handles(listOrphans)
  async list(scope: Scope, { limit }: OrphansRequest): Promise<Queue> {
    const silent: string[] = [];
    for (const {
      stage: { name },
    } of pipelineOrder.processes)
      if (!(await this.workSignals.isPending(scope.groupId, name))) silent.push(name);
    return this.queue.orphans(visibilityOf(scope), silent, limit);
  }
}
