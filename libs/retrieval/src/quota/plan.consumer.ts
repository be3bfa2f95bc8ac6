import { Injectable } from '@nestjs/common';
import { planAssigned, type PlanAssigned, quotaOf } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { QuotaClock } from './quota';
import { QuotaStore } from './quota.store';

/** Applies what the plan of a group says of retrievals. */
@Injectable()
export class PlanConsumer {
  constructor(
    private readonly quotas: QuotaStore,
    private readonly clock: QuotaClock,
  ) {}

  @On(planAssigned)
  async apply(_scope: WorkScope, tx: Transaction, plan: PlanAssigned): Promise<void> {
    const { planCode, revision, startDay } = plan;
    const applied = { planCode, revision, startDay, ...quotaOf(plan, 'RETRIEVALS') };
    await this.quotas.apply(tx, applied, this.clock.now());
  }
}
