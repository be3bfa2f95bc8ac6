import { call } from '../calls';
import { event } from '../events';
import { Choice, Code, Int, ListOf } from '../fields';
import { operators } from '../services';

/** What a plan limits: pages of live documents, searches, and tokens of chat models. */
export const quotaFeatures = ['ACTIVE_CORPUS', 'RETRIEVALS', 'MODEL_TOKENS'] as const;
export type QuotaFeature = (typeof quotaFeatures)[number];

/** At the limit of a quota: refuse, or go on and count. */
export const limitActions = ['BLOCK', 'ALLOW'] as const;
export type LimitAction = (typeof limitActions)[number];

/** How much of a feature a plan includes. */
export class PlanQuota {
  @Choice(quotaFeatures, { publicly: 'same', description: 'Feature' }) readonly feature!: QuotaFeature;
  @Int({ nullable: true, max: 2_147_483_647, description: 'Included in a period; null without a limit' })
  readonly included!: number | null;
  @Choice(limitActions, { publicly: 'same', description: 'At the limit: BLOCK refuses, ALLOW goes on and counts' })
  readonly onLimit!: LimitAction;
}

export class Plan {
  @Code({ description: 'Code of the plan' }) readonly code!: string;
  @Int({ min: 1, max: 28, default: 1, description: 'Day of the month on which a period begins in UTC' })
  readonly startDay!: number;
  @ListOf(() => PlanQuota, { max: 10, description: 'One quota a feature; no limit for those that are left out' })
  readonly quotas!: readonly PlanQuota[];
}

/** What a plan says of a feature: without a quota of it there is no limit. */
export const quotaOf = (
  { quotas }: Pick<Plan, 'quotas'>,
  feature: QuotaFeature,
): Pick<PlanQuota, 'included' | 'onLimit'> => {
  const quota = quotas.find((each) => each.feature === feature);
  return { included: quota?.included ?? null, onLimit: quota?.onLimit ?? 'BLOCK' };
};

export class PlanAssignment {
  @Code({ description: 'Code of the plan' }) readonly planCode!: string;
}

/**
 * Gives the group a plan; what was counted in the running period stays counted.
 * @throws NotFound for an unknown plan
 */
export const assignPlan = call({
  code: 'plans.assign',
  owner: 'operations',
  effect: 'write',
  scope: 'work',
  callers: operators,
  input: PlanAssignment,
  output: Plan,
});

export class PlanAssigned {
  @Int({ min: 1, description: 'Rises with each assignment of the group' }) readonly revision!: number;
  @Code({ description: 'Code of the plan' }) readonly planCode!: string;
  @Int({ min: 1, max: 28, description: 'Day of the month on which a period begins' }) readonly startDay!: number;
  @ListOf(() => PlanQuota, { max: 10, description: 'Its quotas' }) readonly quotas!: readonly PlanQuota[];
}

/** A group has another plan. */
export const planAssigned = event({
  topic: 'plan.assigned.v1',
  producer: 'operations',
  subscribers: ['retrieval', 'ingestion'],
  payload: PlanAssigned,
  key: () => 'plan',
});
