import { listOrphans, type OrphansRequest, type Queue } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Doorbells } from '@acervo/platform-queue';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { documentStages } from '../pipeline/stages';
import type { QueueStore } from './queue.store';

/** Tells which work nobody does. */
export class OrphansCalls {
  constructor(
    private readonly queue: QueueStore,
    private readonly doorbells: Pick<Doorbells, 'isRinging'>,
  ) {}

  /** A stage whose bell rings has somebody on the way to all of its work in the group. */
  @Handles(listOrphans)
  async list(scope: Scope, { limit }: OrphansRequest): Promise<Queue> {
    const silent: string[] = [];
    for (const { name } of documentStages)
      if (!(await this.doorbells.isRinging(scope.groupId, name))) silent.push(name);
    return this.queue.orphans(visibilityOf(scope), silent, limit);
  }
}
