import { Injectable } from '@nestjs/common';
import { spaceDeleted, userDeletionStarted, userDependentsDeleted, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On, Outbox } from '@acervo/platform-messaging';
import { Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { purgeDeletedTask } from '../space-members/stages';
import { UserSpacesStore } from './user-spaces.store';

/** Deletes the working sets of a deleted user. The rows of their members name no user and follow in the background. */
@Injectable()
export class UserSpacesConsumer {
  constructor(
    private readonly spaces: UserSpacesStore,
    private readonly tasks: Tasks,
    private readonly outbox: Outbox,
  ) {}

  @On(userDeletionStarted)
  async release(_scope: WorkScope, tx: Transaction, { userId }: UserIdentity): Promise<void> {
    const deleted = await this.spaces.release(tx, userId);
    await this.tasks.enqueueAll(tx, deleted.map(purgeDeletedTask));
    const events = deleted.map(({ spaceId }) => ({ payload: { spaceId } }));
    await this.outbox.appendAll(tx, spaceDeleted, events);
    await this.outbox.append(tx, userDependentsDeleted, { userId, service: 'retrieval' });
  }
}
