import { Injectable } from '@nestjs/common';
import { planAssigned, type PlanAssigned, quotaOf } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { RESUME } from '../kernel/stages';
import { CorpusStore } from './corpus.store';

/** Applies what the plan of a group says of its corpus, and looks for documents that fit now. */
@Injectable()
export class PlanConsumer {
  constructor(
    private readonly store: CorpusStore,
    private readonly tasks: Tasks,
  ) {}

  @On(planAssigned)
  async apply({ groupId }: WorkScope, tx: Transaction, plan: PlanAssigned): Promise<void> {
    await this.store.apply(tx, plan.revision, quotaOf(plan, 'ACTIVE_CORPUS'));
    await this.tasks.hasten(tx, [groupId], RESUME.name);
  }
}
