import { Injectable } from '@nestjs/common';
import { planAssigned, type PlanAssigned, quotaOf } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { CorpusStore } from './corpus.store';

/** Applies what the plan of a group says of its corpus. Waiting documents go on with the next look for free pages. */
@Injectable()
export class PlanConsumer {
  constructor(private readonly store: CorpusStore) {}

  @On(planAssigned)
  apply(_scope: WorkScope, tx: Transaction, plan: PlanAssigned): Promise<void> {
    return this.store.apply(tx, plan.revision, quotaOf(plan, 'ACTIVE_CORPUS'));
  }
}
