import { Injectable } from '@nestjs/common';
import type { StoresReport } from '@acervo/contracts';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ClassificationBacklog } from '../taxonomy/classification-backlog';
import { IngestionConfig } from '../ingestion.config';
import { RECONCILE } from '../kernel/stages';
import { planReconciliation, planRescans } from '../kernel/upkeep';
import { NEW_PASS, type Pass, ReconciliationStore } from './reconciliation.store';
import { Reconciler } from './reconciler';
import { StoresReporter } from './stores-reporter';

const PUT_OFF_MS = 15_000;
/** Most postponements: a group that is never idle is compared all the same. */
const MOST_PUT_OFF = 40;

/** Compares the stores of one group step by step, each step as one task, and then rests. */
@Injectable()
export class ReconcileStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly reconciler: Reconciler,
    private readonly store: ReconciliationStore,
    private readonly config: IngestionConfig,
    private readonly reporter: StoresReporter,
    private readonly classification: ClassificationBacklog,
  ) {}

  @RunsStage(RECONCILE)
  async reconcile(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { store, tasks, reconciler } = this;
    for (const lease of leases) {
      const keeper = new LeaseKeeper(tasks, [lease], RECONCILE.leaseSeconds);
      const pass = await store.pass(scope);
      if (pass.phase === 'waiting' && (await this.mustWait(scope, pass))) {
        await this.goOn(scope, lease, { ...pass, postponed: pass.postponed + 1 }, PUT_OFF_MS);
        continue;
      }
      const next = await reconciler.step(scope, pass, () => keeper.keep(lease));
      if (next === undefined || next.phase === 'waiting') await this.end(scope, lease, next ?? pass);
      else await this.goOn(scope, lease, next, next.phase === 'confirming' ? this.settleMs : 0);
    }
  }

  /** Delay between two looks at a suspicion: events on their way arrive in this time. */
  private get settleMs(): number {
    return this.config.reconcileSettleSeconds * 1_000;
  }

  private async mustWait(scope: WorkScope, { postponed }: Pass): Promise<boolean> {
    return postponed < MOST_PUT_OFF && (await this.store.hasOtherWork(scope));
  }

  private goOn(scope: WorkScope, lease: Lease, pass: Pass, delayMs: number): Promise<void> {
    const { database, tasks, store } = this;
    return database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await store.keep(tx, pass, null);
      await planReconciliation(tasks, tx, delayMs);
    });
  }

  private async end(scope: WorkScope, lease: Lease, { documents, objects, copiesUnread, tally }: Pass): Promise<void> {
    const { database, tasks, store, config } = this;
    const differences: StoresReport['differences'] = Object.entries(tally).map(([kind, [found, repaired]]) => ({
      ...{ kind, found, repaired },
    }));
    const report = { documents, objects, copiesUnread, differences };
    await database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await store.keep(tx, NEW_PASS, report);
      await planReconciliation(tasks, tx, config.reconcileSeconds * 1_000);
      // For folders from before rescans existed, and where rescans were given up or switched off.
      await planRescans(tasks, tx);
      // For documents that a program of another release went through, and for those of a race with the first type.
      await this.classification.lookAtEvery(tx);
    });
    this.reporter.report(report);
  }
}
