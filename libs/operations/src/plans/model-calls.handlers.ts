import { Injectable } from '@nestjs/common';
import { admitModelCall, type ModelCall, type ModelCallAdmission, processRequested } from '@acervo/contracts';
import { CallUnanswered, Handles, isAwaited, type WriteContext } from '@acervo/platform-calls';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { ModelCallStore } from './model-call.store';
import { ModelTokenStore } from './model-token.store';
import { ModelUsage } from './model-usage';

/** Admits calls of chat models while the plan of their group has tokens left. */
@Injectable()
export class ModelCallsHandlers {
  constructor(
    private readonly usage: ModelUsage,
    private readonly tokens: ModelTokenStore,
    private readonly modelCalls: ModelCallStore,
    private readonly outbox: Outbox,
  ) {}

  /** @throws CallUnanswered, and nothing is counted, where the caller no longer waits once the count is locked */
  @Handles(admitModelCall)
  admit({ service }: WorkScope, call: ModelCall, context: WriteContext): Promise<ModelCallAdmission> {
    return context.write(async (tx) => {
      const { periodStart, limit } = await this.usage.limit(tx);
      const { entityCode, mostTokens: tokens } = call;
      const countedIn = await this.tokens.take(tx, { periodStart, entityCode, tokens }, limit);
      // Its caller has already reported the end of the call: what is counted later would stay counted.
      if (!isAwaited()) throw new CallUnanswered(admitModelCall.code, 'the caller no longer waits');
      // A refusal is an answer and no error, so that its row stays.
      if (countedIn !== undefined) await this.modelCalls.begin(tx, service, call, countedIn);
      else if (await this.modelCalls.refuse(tx, service, call, { periodStart, limit }))
        await this.reportUsedUp(tx, periodStart);
      return { isAdmitted: countedIn !== undefined };
    });
  }

  /** Asks for a person; further refusals of the same purpose do not ask again. */
  private async reportUsedUp(tx: Transaction, periodStart: string): Promise<void> {
    await this.outbox.append(tx, processRequested, {
      ...{ processType: 'CUOTA', subject: `MODEL_TOKENS:${periodStart}`, priority: 'URGENTE' },
      name: 'Extend the quota of tokens',
      description: `The period from ${periodStart} has used every token of the plan; no chat model is asked until the next period or a change of plan.`,
    });
  }
}
