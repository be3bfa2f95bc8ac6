import { Injectable } from '@nestjs/common';
import { type UserDependents, userDependents, type UserIdentity } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { countSelected, Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { conversationsOf } from './conversation.store';

/** Counts what this service deletes with a user. */
@Injectable()
export class UserConversationsHandlers {
  constructor(private readonly database: Database) {}

  @Handles(userDependents.chat)
  count(scope: Scope, { userId }: UserIdentity): Promise<UserDependents> {
    return this.database.read(scope, async (tx) => {
      const { conversaciones: count } = await countSelected(tx, conversationsOf(tx, userId));
      return { dependencies: [{ kind: 'conversaciones', count }] };
    });
  }
}
