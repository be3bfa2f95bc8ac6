import { Injectable } from '@nestjs/common';
import { type UserDependents, userDependents, type UserIdentity } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { UserAnswersStore } from './user-answers.store';

/** Counts what this service deletes with a user. */
@Injectable()
export class UserAnswersHandlers {
  constructor(
    private readonly database: Database,
    private readonly answers: UserAnswersStore,
  ) {}

  @Handles(userDependents.operations)
  count(scope: Scope, { userId }: UserIdentity): Promise<UserDependents> {
    return this.database.read(scope, async (tx) => ({ dependencies: await this.answers.count(tx, userId) }));
  }
}
