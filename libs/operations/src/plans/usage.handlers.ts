import { Injectable } from '@nestjs/common';
import {
  countCorpus,
  countRetrievals,
  type Empty,
  getUsage,
  type Plan,
  quotaOf,
  type QuotaUsage,
  type Usage,
  usageByEntity,
} from '@acervo/contracts';
import { Calls, Handles } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { ChatModelConfig } from '@acervo/platform-service';
import type { Scope } from '@acervo/rbac';
import { FREE_LOCAL } from './free-plan';
import type { UsedTokens } from './model-token.store';
import { ModelUsage } from './model-usage';
import { PlanStore } from './plan.store';

/** Shows the plan of a group, against what its services counted. */
@Injectable()
export class UsageHandlers {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanStore,
    private readonly calls: Calls,
    private readonly modelUsage: ModelUsage,
    private readonly model: ChatModelConfig,
  ) {}

  @Handles(getUsage)
  async usage(scope: Scope, _input: Empty): Promise<Usage> {
    const [{ assigned, plan, tokens }, retrievals, corpus] = await Promise.all([
      this.database.read(scope, (tx) => this.counted(tx)),
      this.calls.send(countRetrievals, scope, {}),
      this.calls.send(countCorpus, scope, {}),
    ]);
    const { planCode, periodStart, periodEnd, included, onLimit, used, byEntity } = retrievals;
    return {
      // A limit without a plan is one from before plans, or of an import.
      planCode: assigned?.code ?? planCode ?? FREE_LOCAL.code,
      ...{ periodStart, periodEnd },
      quotas: [
        {
          // The limit that documents meet; an ingestion of the last release, or before the first plan, knows none.
          ...{ feature: 'ACTIVE_CORPUS', unit: 'pages', ...(corpus.limit ?? quotaOf(plan, 'ACTIVE_CORPUS')) },
          ...{ used: corpus.used, byEntity: corpus.byEntity },
        },
        // The limit that searches meet, which follows the plan within moments.
        { ...{ feature: 'RETRIEVALS', unit: 'calls', included, onLimit }, ...{ used, byEntity } },
        ...(tokens === null ? [] : [modelTokens(scope, plan, tokens)]),
      ],
    };
  }

  /** The plan, and the tokens that it counts; null where no chat model is configured. */
  private async counted(
    tx: Transaction,
  ): Promise<Readonly<{ assigned: Plan | undefined; plan: Plan; tokens: UsedTokens | null }>> {
    const assigned = await this.plans.ofGroup(tx);
    const plan = assigned ?? FREE_LOCAL;
    return { assigned, plan, tokens: this.model.chatModel === null ? null : await this.modelUsage.used(tx, plan) };
  }
}

const modelTokens = (scope: Scope, plan: Plan, { used, byEntity }: UsedTokens): QuotaUsage => {
  const quota = { feature: 'MODEL_TOKENS', unit: 'tokens', ...quotaOf(plan, 'MODEL_TOKENS') } as const;
  return { ...quota, used, byEntity: usageByEntity(scope, used, byEntity) };
};
