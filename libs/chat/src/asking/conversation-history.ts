import { Injectable } from '@nestjs/common';
import { NotFound } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { type ConversationRow, ConversationStore } from '../conversations/conversation.store';
import { MessageStore } from '../conversations/message.store';
import { ShownMessages } from '../conversations/shown-messages';
import { type AnsweringFunction, storedFunction } from './answering-function';

/** Questions and answers that a further question may refer to. */
const MOST_PAIRS = 6;

/** A question and its answer, as their user may read them now. */
export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

export interface OpenConversation extends Omit<ConversationRow, 'functionCode'> {
  readonly functionCode: AnsweringFunction;
  /**
   * The latest ones, the earliest first; without those that the user may read no longer, or that state
   * records which are no documents: no visibility says which of these the user reaches now.
   */
  readonly exchanges: readonly Exchange[];
}

/** Reads what was said in a conversation before a question. */
@Injectable()
export class ConversationHistory {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationStore,
    private readonly messages: MessageStore,
    private readonly shown: ShownMessages,
  ) {}

  /** @throws NotFound for a conversation of another user, as for one that does not exist */
  async open(scope: Scope, conversationId: number): Promise<OpenConversation> {
    const { conversation, rows } = await this.database.read(scope, async (tx) => ({
      conversation: await this.conversations.find(tx, scope.userId, conversationId),
      rows: await this.messages.latest(tx, conversationId, 2 * MOST_PAIRS),
    }));
    if (conversation === undefined) throw new NotFound();
    const messages = await this.shown.of(scope, rows);
    const exchanges = messages.flatMap(({ role, text, isHidden, statesRecords }, place) => {
      const question = messages[place - 1];
      if (role !== 'ASSISTANT' || isHidden || statesRecords || question?.role !== 'USER') return [];
      return [{ question: question.text, answer: text }];
    });
    return { ...conversation, functionCode: storedFunction(conversation.functionCode), exchanges };
  }
}
