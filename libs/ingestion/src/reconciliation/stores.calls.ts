import { compareStores, type Empty, reportStores, type StoresReport } from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Doorbells, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { RECONCILE } from '../pipeline/stages';
import { planReconciliation } from '../pipeline/upkeep';
import type { ReconciliationStore } from './reconciliation.store';

export interface StoresCallsParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly store: ReconciliationStore;
}

/** What operators ask about the agreement of the stores. */
export class StoresCalls {
  constructor(private readonly parts: StoresCallsParts) {}

  @Handles(compareStores)
  async compare(scope: WorkScope, _input: Empty, context: WriteContext): Promise<StoresReport> {
    const { tasks, store, doorbells } = this.parts;
    const report = await context.write(async (tx) => {
      await planReconciliation(tasks, tx, 0);
      await tasks.hasten(tx, tx.groupId ?? '', RECONCILE.name);
      return store.report(tx);
    });
    await doorbells.ring(scope.groupId, RECONCILE.name);
    return report;
  }

  @Handles(reportStores)
  report(scope: WorkScope): Promise<StoresReport> {
    return this.parts.database.read(scope, (tx) => this.parts.store.report(tx));
  }
}
