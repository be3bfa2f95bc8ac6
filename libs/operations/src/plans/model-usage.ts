import { Injectable } from '@nestjs/common';
import { periodAt, type Plan, quotaOf } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { FREE_LOCAL } from './free-plan';
import { ModelCallStore } from './model-call.store';
import { ModelTokenStore, type UsedTokens } from './model-token.store';
import { PlanStore } from './plan.store';

/** The time that periods begin and end by. */
@Injectable()
export class UsageClock {
  now(): number {
    return Date.now();
  }
}

/** The period of a group and the tokens that its plan lets it use in it; null where nothing is refused. */
export interface TokenLimit {
  readonly periodStart: string;
  readonly limit: number | null;
}

/** What the plan of a group says of tokens of chat models now. */
@Injectable()
export class ModelUsage {
  constructor(
    private readonly plans: PlanStore,
    private readonly tokens: ModelTokenStore,
    private readonly modelCalls: ModelCallStore,
    private readonly clock: UsageClock,
  ) {}

  async limit(tx: Transaction): Promise<TokenLimit> {
    const plan = (await this.plans.ofGroup(tx)) ?? FREE_LOCAL;
    const { included, onLimit } = quotaOf(plan, 'MODEL_TOKENS');
    return { periodStart: this.startOf(plan), limit: onLimit === 'BLOCK' ? included : null };
  }

  /** What the running period of a plan used; calls under way count their most tokens. */
  used(tx: Transaction, plan: Plan): Promise<UsedTokens> {
    return this.tokens.used(tx, this.startOf(plan));
  }

  /** Another plan may begin a later period at once: what the running one used moves there. */
  async follow(tx: Transaction, before: Plan, after: Plan): Promise<void> {
    const to = this.startOf(after);
    const from = await this.tokens.move(tx, this.startOf(before), to);
    if (from !== undefined) await this.modelCalls.move(tx, from, to);
  }

  private startOf({ startDay }: Pick<Plan, 'startDay'>): string {
    return periodAt(this.clock.now(), startDay).periodStart;
  }
}
