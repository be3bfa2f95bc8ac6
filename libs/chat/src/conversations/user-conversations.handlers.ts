import { Injectable } from '@nestjs/common';
import { type CountedUser, type UserDependents, userDependents } from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import { countSelected, Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { conversationsOf } from './conversation.store';
import { OtherGroups } from './other-groups';

/** Counts what this service deletes with a user. */
@Injectable()
export class UserConversationsHandlers {
  constructor(
    private readonly database: Database,
    private readonly others: OtherGroups,
  ) {}

  @Handles(userDependents.chat)
  async count(scope: Scope, { userId, isSystem = false }: CountedUser): Promise<UserDependents> {
    const { conversaciones } = await this.database.read(scope, (tx) => countSelected(tx, conversationsOf(tx, userId)));
    // No other user acts in another group.
    const elsewhere = isSystem ? await this.others.count(scope.groupId, userId) : 0;
    return { dependencies: [{ kind: 'conversaciones', count: conversaciones + elsewhere }] };
  }
}
