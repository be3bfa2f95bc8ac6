import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { listGroups } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Counters } from '@acervo/platform-counters';
import { Database } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { Hourly } from '@acervo/platform-resilience';
import { anonymous, WorkScope } from '@acervo/rbac';
import { AskedRequestStore } from '../conversations/asked-request.store';
import { ConversationStore } from '../conversations/conversation.store';
import { DeletedUserStore } from '../conversations/deleted-user.store';
import { ConversationTransfer } from '../transfer/conversation-transfer';
import { ConversationRetention } from './conversation-retention';
import { DeletedSources } from './deleted-sources';

/** Recurring upkeep: deletes old conversations, answers from deleted documents, and expired rows. */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private readonly hourly = new Hourly();

  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly conversations: ConversationStore,
    private readonly requests: AskedRequestStore,
    private readonly users: DeletedUserStore,
    private readonly transfer: ConversationTransfer,
    private readonly retention: ConversationRetention,
    private readonly sources: DeletedSources,
    private readonly counters: Counters,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.hourly.start(
      () => this.round(),
      (error) => this.logger.warn({ error }, 'upkeep of conversations failed; it runs again in an hour'),
    );
  }

  onModuleDestroy(): void {
    this.hourly.stop();
  }

  /** One run; safe for several replicas at once. A group that fails does not stop the others. */
  async round(): Promise<void> {
    await this.counters.prune();
    const { groups } = await this.calls.send(listGroups, anonymous, {});
    for (const { groupId } of groups)
      await this.ofGroup(new WorkScope(groupId, 'chat', 'upkeep')).catch((error: unknown) =>
        this.logger.warn({ error, groupId }, 'upkeep of the conversations of a group failed; it runs again in an hour'),
      );
  }

  private async ofGroup(scope: WorkScope): Promise<void> {
    const isAny = await this.database.write(scope, async (tx) => {
      await this.transfer.dropExpired(tx);
      await this.requests.deleteExpired(tx);
      for (const userId of await this.users.list(tx)) await this.conversations.deleteAll(tx, userId);
      await this.users.deleteExpired(tx);
      return this.conversations.isAny(tx);
    });
    if (!isAny) return;
    const deleted = await this.retention.apply(scope);
    const erased = await this.sources.erase(scope);
    const { groupId } = scope;
    if (deleted + erased > 0) this.logger.info({ groupId, deleted, erased }, 'old conversations and answers are gone');
  }
}
