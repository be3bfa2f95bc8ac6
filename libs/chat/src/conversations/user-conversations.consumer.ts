import { Injectable } from '@nestjs/common';
import { userDeletionStarted, userDependentsDeleted, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On, Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { ConversationStore } from './conversation.store';
import { DeletedUserStore } from './deleted-user.store';

/** Deletes the conversations of a deleted user. `Upkeep` deletes those of other groups, and those that are stored later. */
@Injectable()
export class UserConversationsConsumer {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly deleted: DeletedUserStore,
    private readonly outbox: Outbox,
  ) {}

  @On(userDeletionStarted)
  async release(_scope: WorkScope, tx: Transaction, { userId }: UserIdentity): Promise<void> {
    await this.deleted.remember(tx, userId);
    await this.conversations.deleteAll(tx, userId);
    await this.outbox.append(tx, userDependentsDeleted, { userId, service: 'chat' });
  }
}
