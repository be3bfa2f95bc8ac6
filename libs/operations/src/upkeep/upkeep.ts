import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Calls } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { applyRetention, GroupRounds } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';
import { ModelCallStore } from '../plans/model-call.store';
import { ModelTokenStore } from '../plans/model-token.store';
import { ProcessStore } from '../processes/process.store';
import { SchedulePlan } from '../processes/schedule.stage';
import { ProcessTransfer } from '../transfer/process-transfer';

/**
 * Recurring upkeep: deletes old calls of chat models and processes that are over for long, and looks that the calendar
 * of each group is looked at.
 */
@Injectable()
export class Upkeep implements OnModuleInit, OnModuleDestroy {
  private readonly rounds: GroupRounds;

  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly transfer: ProcessTransfer,
    private readonly schedule: SchedulePlan,
    private readonly processes: ProcessStore,
    private readonly modelCalls: ModelCallStore,
    private readonly tokens: ModelTokenStore,
    private readonly logger: Logger,
  ) {
    const ofGroup = (scope: WorkScope): Promise<void> => this.ofGroup(scope);
    this.rounds = new GroupRounds({ service: 'operations', calls, logger, ofGroup });
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
    const { modelCalls, logger } = this;
    const { isAnyOver, isAnyOld, lost } = await this.database.write(scope, async (tx) => {
      await this.transfer.dropExpired(tx);
      // Definitions that were imported have no task yet.
      await this.schedule.plan(tx);
      const found = { isAnyOver: await this.processes.isAnyOver(tx), isAnyOld: await modelCalls.isAnyOld(tx) };
      // Last, so that calls of chat models wait for as short as possible.
      await this.tokens.lock(tx);
      return { ...found, lost: await modelCalls.giveUp(tx) };
    });
    const { groupId } = scope;
    if (lost > 0)
      logger.warn({ groupId, lost }, 'calls of a chat model ended without a report; their most tokens count');
    if (isAnyOver) await this.deleteProcesses(scope);
    if (isAnyOld) await this.deleteModelCalls(scope);
  }

  private async deleteProcesses(scope: WorkScope): Promise<void> {
    const { database, processes } = this;
    const deleted = await applyRetention(this.calls, scope, 'PROCESS_RETENTION_DAYS', (days, most) =>
      database.write(scope, (tx) => processes.deleteOver(tx, days, most)),
    );
    if (deleted > 0) this.logger.info({ groupId: scope.groupId, deleted }, 'old processes are gone');
  }

  private async deleteModelCalls(scope: WorkScope): Promise<void> {
    const { database, modelCalls } = this;
    const deleted = await applyRetention(this.calls, scope, 'MODEL_CALL_RETENTION_DAYS', (days, most) =>
      database.write(scope, (tx) => modelCalls.deleteOlder(tx, days, most)),
    );
    if (deleted > 0)
      this.logger.info({ groupId: scope.groupId, deleted }, 'old rows of calls of a chat model are gone');
  }
}
