import { Injectable } from '@nestjs/common';
import { userDeletionStarted, userDependentsDeleted, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On, Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { ConversationStore } from './conversation.store';

/** Deletes the conversations of a deleted user. */
@Injectable()
export class UserConversationsConsumer {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly outbox: Outbox,
  ) {}

  @On(userDeletionStarted)
  async release(_scope: WorkScope, tx: Transaction, { userId }: UserIdentity): Promise<void> {
    await this.conversations.deleteAll(tx, userId);
    await this.outbox.append(tx, userDependentsDeleted, { userId, service: 'chat' });
  }
}
