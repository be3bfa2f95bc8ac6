import { Injectable } from '@nestjs/common';
import { assignPlan, NotFound, type Plan, planAssigned, type PlanAssignment } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { FREE_LOCAL } from './free-plan';
import { ModelUsage } from './model-usage';
import { PlanStore } from './plan.store';

/** Gives groups their plans. */
@Injectable()
export class PlansHandlers {
  constructor(
    private readonly plans: PlanStore,
    private readonly outbox: Outbox,
    private readonly modelUsage: ModelUsage,
  ) {}

  @Handles(assignPlan)
  assign(_scope: WorkScope, { planCode }: PlanAssignment, context: WriteContext): Promise<Plan> {
    return context.write(async (tx) => {
      const plan = await this.plans.find(tx, planCode);
      if (plan === undefined) throw new NotFound();
      const before = (await this.plans.ofGroup(tx)) ?? FREE_LOCAL;
      const revision = await this.plans.assign(tx, planCode);
      await this.modelUsage.follow(tx, before, plan);
      const { startDay, quotas } = plan;
      await this.outbox.append(tx, planAssigned, { revision, planCode, startDay, quotas });
      return plan;
    });
  }
}
