import { Injectable } from '@nestjs/common';
import { userDeletionStarted, userDependentsDeleted, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On, Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { UserAnswersStore } from '../execution/user-answers.store';
import { UserProcessesStore } from '../processes/user-processes.store';

/** Deletes the stored answers and the processes of a deleted user. The audit records of the user are kept. */
@Injectable()
export class UserDeletionConsumer {
  constructor(
    private readonly answers: UserAnswersStore,
    private readonly processes: UserProcessesStore,
    private readonly outbox: Outbox,
  ) {}

  @On(userDeletionStarted)
  async delete(_scope: WorkScope, tx: Transaction, { userId }: UserIdentity): Promise<void> {
    await this.answers.delete(tx, userId);
    await this.processes.release(tx, userId);
    await this.outbox.append(tx, userDependentsDeleted, { userId, service: 'operations' });
  }
}
