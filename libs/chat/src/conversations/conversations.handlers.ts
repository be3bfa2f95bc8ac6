import { Injectable } from '@nestjs/common';
import {
  type ConversationDeleted,
  type ConversationDetail,
  type ConversationList,
  type ConversationListRequest,
  type ConversationReference,
  deleteConversation,
  getConversation,
  listConversations,
  MOST_MESSAGES,
  NotFound,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { ConversationStore } from './conversation.store';
import { MessageStore } from './message.store';
import { ShownMessages } from './shown-messages';

/** Lists, shows and deletes the conversations of the caller. */
@Injectable()
export class ConversationsHandlers {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationStore,
    private readonly messages: MessageStore,
    private readonly shown: ShownMessages,
  ) {}

  @Handles(listConversations)
  list(scope: Scope, { functionCode, limit }: ConversationListRequest): Promise<ConversationList> {
    return this.database.read(scope, async (tx) => ({
      conversations: await this.conversations.list(tx, scope.userId, functionCode, limit),
      total: await this.conversations.count(tx, scope.userId, functionCode),
    }));
  }

  @Handles(getConversation)
  async get(scope: Scope, { conversationId }: ConversationReference): Promise<ConversationDetail> {
    const { conversation, rows } = await this.database.read(scope, async (tx) => ({
      conversation: await this.conversations.find(tx, scope.userId, conversationId),
      rows: await this.messages.latest(tx, conversationId, MOST_MESSAGES),
    }));
    if (conversation === undefined) throw new NotFound();
    const { functionCode, title } = conversation;
    return { conversationId, functionCode, title, messages: await this.shown.of(scope, rows) };
  }

  @Handles(deleteConversation)
  async delete(
    scope: Scope,
    { conversationId }: ConversationReference,
    context: WriteContext,
  ): Promise<ConversationDeleted> {
    await context.write(async (tx) => {
      if (!(await this.conversations.delete(tx, scope.userId, conversationId))) throw new NotFound();
    });
    return { deleted: true, conversationId };
  }
}
