import { Injectable } from '@nestjs/common';
import { listGroups } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { countSelected, Database } from '@acervo/platform-database';
import { anonymous, WorkScope } from '@acervo/rbac';
import { conversationsOf, ConversationStore } from './conversation.store';

/** Conversations of a user outside of the user's own group: those of a SYSTEM user who acted in another one. */
@Injectable()
export class OtherGroups {
  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly conversations: ConversationStore,
  ) {}

  async count(home: string, userId: string): Promise<number> {
    let total = 0;
    for (const scope of await this.besides(home))
      total += await this.database.read(
        scope,
        async (tx) => (await countSelected(tx, conversationsOf(tx, userId))).conversaciones,
      );
    return total;
  }

  async delete(home: string, userIds: readonly string[]): Promise<void> {
    for (const scope of await this.besides(home))
      await this.database.write(scope, async (tx) => {
        for (const userId of userIds) await this.conversations.deleteAll(tx, userId);
      });
  }

  private async besides(home: string): Promise<readonly WorkScope[]> {
    const { groups } = await this.calls.send(listGroups, anonymous, {});
    return groups
      .filter(({ groupId }) => groupId !== home)
      .map(({ groupId }) => new WorkScope(groupId, 'chat', 'deleted user'));
  }
}
