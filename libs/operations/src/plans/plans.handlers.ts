import { Injectable } from '@nestjs/common';
import { assignPlan, NotFound, type Plan, planAssigned, type PlanAssignment } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { PlanStore } from './plan.store';

/** Gives groups their plans. */
@Injectable()
export class PlansHandlers {
  constructor(
    private readonly plans: PlanStore,
    private readonly outbox: Outbox,
  ) {}

  @Handles(assignPlan)
  assign(_scope: WorkScope, { planCode }: PlanAssignment, context: WriteContext): Promise<Plan> {
    return context.write(async (tx) => {
      const plan = await this.plans.find(tx, planCode);
      if (plan === undefined) throw new NotFound();
      const revision = await this.plans.assign(tx, planCode);
      const { startDay, quotas } = plan;
      await this.outbox.append(tx, planAssigned, { revision, planCode, startDay, quotas });
      return plan;
    });
  }
}
