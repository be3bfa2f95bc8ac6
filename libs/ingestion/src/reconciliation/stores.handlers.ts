import { Injectable } from '@nestjs/common';
import { compareStores, type Empty, reportStores, type StoresReport } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { BackgroundDatabase } from '@acervo/platform-database';
import { WorkSignals, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { RECONCILE } from '../kernel/stages';
import { planReconciliation } from '../kernel/upkeep';
import { ReconciliationStore } from './reconciliation.store';

/** Answers operators about the agreement of the stores. */
@Injectable()
export class StoresHandlers {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly store: ReconciliationStore,
  ) {}

  @Handles(compareStores)
  async compare(scope: WorkScope, _input: Empty, context: WriteContext): Promise<StoresReport> {
    const { tasks, store, workSignals } = this;
    const report = await context.write(async (tx) => {
      await planReconciliation(tasks, tx, 0);
      await tasks.hasten(tx, [scope.groupId], RECONCILE.name);
      return store.report(tx);
    });
    await workSignals.notify(scope.groupId, RECONCILE.name);
    return report;
  }

  @Handles(reportStores)
  report(scope: WorkScope): Promise<StoresReport> {
    return this.database.read(scope, (tx) => this.store.report(tx));
  }
}
