import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { userDeletionStarted } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';
import { HOURLY, Periodic } from '@acervo/platform-resilience';
import { Directory } from '../accounts/directory';
import { UserDeletionStore } from './user-deletion.store';

/**
 * Publishes deletions again that a service has not finished for an hour. Kafka keeps events for days, and a service may
 * be away for longer. Its deletion of rows is idempotent.
 */
@Injectable()
export class StalledDeletions implements OnModuleInit, OnModuleDestroy {
  private readonly rounds = new Periodic(() => this.repeat(), {
    ...HOURLY,
    failed: (error) =>
      this.logger.warn({ error }, 'deletions of users were not published again; it is tried in an hour'),
  });

  constructor(
    private readonly database: Database,
    private readonly directory: Directory,
    private readonly deletions: UserDeletionStore,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.rounds.start();
  }

  onModuleDestroy(): void {
    void this.rounds.stop();
  }

  /** Safe for several replicas at once: one of them publishes a deletion. */
  async repeat(): Promise<void> {
    for (const group of await this.directory.groups())
      await this.database.write(group, async (tx) => {
        for (const user of await this.deletions.askAgain(tx)) await this.outbox.append(tx, userDeletionStarted, user);
      });
  }
}
