import { Injectable } from '@nestjs/common';
import { userDeletionStarted, userDependentsDeleted, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On, Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { UserAnswersStore } from './user-answers.store';

/** Deletes the stored answers of a deleted user. The audit records of the user are kept. */
@Injectable()
export class UserAnswersConsumer {
  constructor(
    private readonly answers: UserAnswersStore,
    private readonly outbox: Outbox,
  ) {}

  @On(userDeletionStarted)
  async delete(_scope: WorkScope, tx: Transaction, { userId }: UserIdentity): Promise<void> {
    await this.answers.delete(tx, userId);
    await this.outbox.append(tx, userDependentsDeleted, { userId, service: 'operations' });
  }
}
