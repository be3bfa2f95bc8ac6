import { Injectable } from '@nestjs/common';
import { type AnsweredQuestion, NotFound, type StoredAnswer } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { type AskedRequest, AskedRequestStore } from './asked-request.store';
import { ConversationStore } from './conversation.store';
import { MessageStore } from './message.store';
import { titleOf } from './title';

/** Stores a question with its answer, and the conversation that they begin. */
@Injectable()
export class PairWriter {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly messages: MessageStore,
    private readonly requests: AskedRequestStore,
  ) {}

  /**
   * Stores both messages within a transaction, or nothing.
   * @param request under which a repetition finds the answer
   * @throws NotFound for a conversation that the user has no longer
   */
  async store(
    tx: Transaction,
    scope: Scope,
    answered: AnsweredQuestion,
    request: AskedRequest | undefined,
  ): Promise<StoredAnswer> {
    const { userId } = scope;
    const conversationId = answered.conversationId ?? (await this.open(tx, userId, answered));
    // Within this transaction: the user, or upkeep, may have deleted it while the answer was written.
    const isThere = await this.conversations.extend(tx, userId, conversationId, titleOf(answered.question));
    if (!isThere) throw new NotFound();
    const numbers = await this.messages.append(tx, { ...answered, conversationId });
    if (request !== undefined) await this.requests.remember(tx, request, numbers.messageId);
    return { conversationId, ...numbers };
  }

  private open(
    tx: Transaction,
    userId: string,
    { functionCode, mode, model, layers }: AnsweredQuestion,
  ): Promise<number> {
    return this.conversations.open(tx, { userId, functionCode, mode, title: '', model, layers });
  }
}
