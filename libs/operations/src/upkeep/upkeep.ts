import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { listGroups } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { Hourly } from '@acervo/platform-resilience';
import { anonymous, WorkScope } from '@acervo/rbac';
import { SchedulePlan } from '../processes/schedule.stage';
import { ProcessTransfer } from '../transfer/process-transfer';
import { ProcessRetention } from './process-retention';

/** Recurring upkeep: deletes processes that are over for long, and looks that the calendar of each group is looked at. */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private readonly hourly = new Hourly();

  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly transfer: ProcessTransfer,
    private readonly schedule: SchedulePlan,
    private readonly retention: ProcessRetention,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.hourly.start(
      () => this.round(),
      (error) => this.logger.warn({ error }, 'upkeep of processes failed; it runs again in an hour'),
    );
  }

  onModuleDestroy(): void {
    this.hourly.stop();
  }

  /** One run; safe for several replicas at once. A group that fails does not stop the others. */
  async round(): Promise<void> {
    const { groups } = await this.calls.send(listGroups, anonymous, {});
    for (const { groupId } of groups)
      await this.ofGroup(new WorkScope(groupId, 'operations', 'upkeep')).catch((error: unknown) =>
        this.logger.warn({ error, groupId }, 'upkeep of the processes of a group failed; it runs again in an hour'),
      );
  }

  private async ofGroup(scope: WorkScope): Promise<void> {
    await this.database.write(scope, async (tx) => {
      await this.transfer.dropExpired(tx);
      // Definitions that were imported have no task yet.
      await this.schedule.plan(tx);
    });
    const deleted = await this.retention.apply(scope);
    if (deleted > 0) this.logger.info({ groupId: scope.groupId, deleted }, 'old processes are gone');
  }
}
