import { Injectable } from '@nestjs/common';
import { type UserDependents, userDependents, type UserIdentity } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { UserSpacesStore } from './user-spaces.store';

/** Counts what this service deletes with a user, and what it hands to the administrators. */
@Injectable()
export class UserSpacesHandlers {
  constructor(
    private readonly database: Database,
    private readonly spaces: UserSpacesStore,
  ) {}

  @Handles(userDependents.retrieval)
  count(scope: Scope, { userId }: UserIdentity): Promise<UserDependents> {
    return this.database.read(scope, async (tx) => ({ dependencies: await this.spaces.count(tx, userId) }));
  }
}
