import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Calls } from '@acervo/platform-calls';
import { Counters } from '@acervo/platform-counters';
import { Database } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { applyRetention, GroupRounds } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';
import { AskedRequestStore } from '../conversations/asked-request.store';
import { ConversationStore } from '../conversations/conversation.store';
import { DeletedUserStore } from '../conversations/deleted-user.store';
import { OtherGroups } from '../conversations/other-groups';
import { ConversationTransfer } from '../transfer/conversation-transfer';
import { DeletedSources } from './deleted-sources';

/** Recurring upkeep: deletes old conversations, answers from deleted documents, and expired rows. */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private readonly rounds: GroupRounds;

  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly conversations: ConversationStore,
    private readonly requests: AskedRequestStore,
    private readonly users: DeletedUserStore,
    private readonly others: OtherGroups,
    private readonly transfer: ConversationTransfer,
    private readonly sources: DeletedSources,
    counters: Counters,
    private readonly logger: Logger,
  ) {
    this.rounds = new GroupRounds({
      ...{ service: 'chat', calls, logger },
      shared: () => counters.prune(),
      ofGroup: (scope) => this.ofGroup(scope),
    });
  }

  onModuleInit(): void {
    this.rounds.start();
  }

  onModuleDestroy(): void {
    this.rounds.stop();
  }

  round(): Promise<void> {
    return this.rounds.round();
  }

  private async ofGroup(scope: WorkScope): Promise<void> {
    const deletedUsers = await this.database.read(scope, (tx) => this.users.list(tx));
    await this.ofItself(scope, deletedUsers);
    // Last: a group that fails must not keep this one from its own work.
    if (deletedUsers.length > 0) await this.others.delete(scope.groupId, deletedUsers);
  }

  private async ofItself(scope: WorkScope, deletedUsers: readonly string[]): Promise<void> {
    const { database, conversations, users } = this;
    const isAny = await database.write(scope, async (tx) => {
      await this.transfer.dropExpired(tx);
      await this.requests.deleteExpired(tx);
      for (const userId of deletedUsers) await conversations.deleteAll(tx, userId);
      await users.deleteExpired(tx);
      return conversations.isAny(tx);
    });
    if (!isAny) return;
    const deleted = await applyRetention(this.calls, scope, 'CONVERSATION_RETENTION_DAYS', (days, most) =>
      database.write(scope, (tx) => conversations.deleteOlder(tx, days, most)),
    );
    const erased = await this.sources.erase(scope);
    const { groupId } = scope;
    if (deleted + erased > 0) this.logger.info({ groupId, deleted, erased }, 'old conversations and answers are gone');
  }
}
