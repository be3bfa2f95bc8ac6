import { Injectable } from '@nestjs/common';
import { userDeletionStarted, type UserIdentity } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { columnsOfUsers, FORGOTTEN_USER } from './columns-of-users';

/**
 * Forgets who requested runs of skills when the account is deleted. The runs and their results stay: others read them.
 * No service waits for this, because no row is deleted.
 */
@Injectable()
export class DeletedUsersConsumer {
  @On(userDeletionStarted)
  async forget(_scope: WorkScope, tx: Transaction, { userId }: UserIdentity): Promise<void> {
    for (const { table, column } of columnsOfUsers)
      await tx.query(`update ingestion.${table} set ${column} = $3 where group_id = $1 and ${column} = $2`, [
        tx.groupId,
        userId,
        FORGOTTEN_USER,
      ]);
  }
}
