import { Injectable } from '@nestjs/common';
import { type ModelCallEnded, modelCallEnded } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { ModelCallStore } from './model-call.store';
import { ModelTokenStore } from './model-token.store';

/** Counts what calls of chat models took, in place of the most that they could take. */
@Injectable()
export class ModelCallsConsumer {
  constructor(
    private readonly tokens: ModelTokenStore,
    private readonly modelCalls: ModelCallStore,
  ) {}

  @On(modelCallEnded)
  async end(_scope: WorkScope, tx: Transaction, ended: ModelCallEnded): Promise<void> {
    await this.tokens.lock(tx);
    const beyond = await this.modelCalls.end(tx, ended);
    if (beyond !== undefined) await this.tokens.correct(tx, beyond);
  }
}
