import { Injectable } from '@nestjs/common';
import { type UserDependents, userDependents, type UserIdentity } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { UserAnswersStore } from '../execution/user-answers.store';
import { UserProcessesStore } from '../processes/user-processes.store';

/** Counts what this service deletes with a user, or hands to administrators. */
@Injectable()
export class UserDeletionHandlers {
  constructor(
    private readonly database: Database,
    private readonly answers: UserAnswersStore,
    private readonly processes: UserProcessesStore,
  ) {}

  @Handles(userDependents.operations)
  count(scope: Scope, { userId }: UserIdentity): Promise<UserDependents> {
    return this.database.read(scope, async (tx) => ({
      dependencies: [...(await this.answers.count(tx, userId)), ...(await this.processes.count(tx, userId))],
    }));
  }
}
