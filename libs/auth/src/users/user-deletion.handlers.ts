import { Injectable } from '@nestjs/common';
import {
  deleteUser,
  previewUserDeletion,
  type UserDeleted,
  userDeletionStarted,
  type UserDeletionPreview,
  type UserReference,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { Scope } from '@acervo/rbac';
import { assertReaches, isSystem } from '../kernel/authority';
import { countDependents } from './dependents.store';
import { PeopleConflict } from '../kernel/auth.errors';
import { RemoteDependents } from './remote-dependents';
import { UserDeletionStore } from './user-deletion.store';
import { UserStore } from '../accounts/user.store';

/** Deletions of users. Access ends in the transaction of the call; the account goes once all services have finished. */
@Injectable()
export class UserDeletionHandlers {
  constructor(
    private readonly database: Database,
    private readonly users: UserStore,
    private readonly deletions: UserDeletionStore,
    private readonly remote: RemoteDependents,
    private readonly outbox: Outbox,
  ) {}

  @Handles(deleteUser)
  delete(scope: Scope, { code }: UserReference, context: WriteContext): Promise<UserDeleted> {
    return context.write(async (tx) => {
      const row = await this.users.lock(tx, code);
      if (row.isProtected) throw new PeopleConflict('USER_PROTECTED');
      assertReaches(scope, row.level);
      await this.deletions.begin(tx, row.userId);
      await this.outbox.append(tx, userDeletionStarted, { userId: row.userId, code: row.code });
      return { code: row.code, deleted: true };
    });
  }

  @Handles(previewUserDeletion)
  async preview(scope: Scope, { code }: UserReference): Promise<UserDeletionPreview> {
    const { row, own } = await this.database.read(scope, async (tx) => {
      const found = await this.users.get(tx, code);
      return { row: found, own: await countDependents(tx, found.userId) };
    });
    const counted = { userId: row.userId, code: row.code, isSystem: isSystem(row) };
    const dependencies = [...own, ...(await this.remote.count(scope, counted))];
    const total = dependencies.reduce((sum, { count }) => sum + count, 0);
    return { code: row.code, dependencies, total, blocked: row.isProtected };
  }
}
