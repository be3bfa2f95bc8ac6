import { Injectable } from '@nestjs/common';
import { type AnsweredQuestion, DomainError, refundRetrieval, storeAnswer } from '@acervo/contracts';
import { Calls, type SendOptions } from '@acervo/platform-calls';
import { Logger } from '@acervo/platform-observability';
import { type Scope, WorkScope } from '@acervo/rbac';
import type { Answering } from './answer-part';

/** Whether the owner of a call refused it: an answer that is stored already, or whose conversation is deleted. */
const isRefusal = (error: unknown): boolean => error instanceof DomainError && error.code !== 'INTERNAL_ERROR';

/** Stores answers that failed and refunds their retrievals. It never throws: the caller gets the error of the answer. */
@Injectable()
export class FailedAnswers {
  constructor(
    private readonly calls: Calls,
    private readonly logger: Logger,
  ) {}

  /** Stores an answer as far as it was given. Its retrievals are refunded unless the answer cannot belong to them. */
  async store(scope: Scope, answering: Answering, answered: AnsweredQuestion, options?: SendOptions): Promise<void> {
    try {
      await this.calls.send(storeAnswer, scope, answered, options);
    } catch (error) {
      this.logger.error({ error }, 'a failed answer could not be stored');
      if (isRefusal(error)) return;
    }
    await this.refund(scope, answering);
  }

  async refund({ groupId, activeEntity, entities }: Scope, { retrievals }: Answering): Promise<void> {
    const scope = new WorkScope(groupId, 'chat', 'failed answer');
    for (const retrieval of retrievals)
      try {
        await this.calls.send(refundRetrieval, scope, { ...retrieval, activeEntity, entities });
      } catch (error) {
        this.logger.error({ error }, 'a retrieval of a failed answer could not be refunded');
      }
  }
}
