import type { StoresReport } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { Logger, Metrics } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { LongMissing } from '../documents/long-missing';
import { RECONCILE } from '../pipeline/stages';
import { planReconciliation, planRescans } from '../pipeline/upkeep';
import { NEW_PASS, type Pass, type ReconciliationStore } from './reconciliation.store';
import type { Reconciler } from './reconciler';

/** When the comparison does what, in milliseconds. */
export interface ReconcileTimes {
  /** From the end of one comparison to the next. */
  readonly everyMs: number;
  /** Between two looks at what seems to differ: whatever was on its way has arrived by then. */
  readonly settleMs: number;
}

export interface ReconcileParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly reconciler: Reconciler;
  readonly store: ReconciliationStore;
  readonly longMissing: LongMissing;
  readonly times: ReconcileTimes;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly metrics: Metrics;
}

const PUT_OFF_MS = 15_000;
/** A group that is never idle is compared all the same. */
const MOST_PUT_OFF = 40;

/** Compares the stores of one group step by step, each step a piece of work of its own, and then rests. */
export class ReconcileStage {
  private readonly differences;

  constructor(private readonly parts: ReconcileParts) {
    this.differences = parts.metrics.counter('store_differences_total', 'Differences between stores', [
      'kind',
      'outcome',
    ]);
  }

  @RunsStage(RECONCILE)
  async reconcile(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { store, tasks, reconciler } = this.parts;
    for (const lease of leases) {
      const keeper = new LeaseKeeper(tasks, [lease], RECONCILE.leaseSeconds);
      const pass = await store.pass(scope);
      if (pass.phase === 'waiting' && (await this.mustWait(scope, pass))) {
        await this.goOn(scope, lease, { ...pass, postponed: pass.postponed + 1 }, PUT_OFF_MS);
        continue;
      }
      // Before a comparison begins, so that it finds nothing that is no longer needed.
      if (pass.phase === 'waiting') await this.parts.longMissing.release(scope, () => keeper.keep(lease));
      const next = await reconciler.step(scope, pass, () => keeper.keep(lease));
      if (next === undefined || next.phase === 'waiting') await this.end(scope, lease, next ?? pass);
      else await this.goOn(scope, lease, next, next.phase === 'confirming' ? this.parts.times.settleMs : 0);
    }
  }

  private async mustWait(scope: WorkScope, { postponed }: Pass): Promise<boolean> {
    return postponed < MOST_PUT_OFF && (await this.parts.store.hasOtherWork(scope));
  }

  private goOn(scope: WorkScope, lease: Lease, pass: Pass, delayMs: number): Promise<void> {
    const { database, tasks, store } = this.parts;
    return database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await store.keep(tx, pass, null);
      await planReconciliation(tasks, tx, delayMs);
    });
  }

  private async end(scope: WorkScope, lease: Lease, { documents, objects, copiesUnread, tally }: Pass): Promise<void> {
    const { database, tasks, store, times } = this.parts;
    const differences: StoresReport['differences'] = Object.entries(tally).map(([kind, [found, repaired]]) => ({
      ...{ kind, found, repaired },
    }));
    const report = { documents, objects, copiesUnread, differences };
    await database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await store.keep(tx, NEW_PASS, report);
      await planReconciliation(tasks, tx, times.everyMs);
      // For folders from before there were rescans, and where those had been given up or switched off.
      await planRescans(tasks, tx);
    });
    this.tell(report);
  }

  private tell(report: Omit<StoresReport, 'isRunning' | 'finishedAt'>): void {
    const { logger } = this.parts;
    const { differences, copiesUnread } = report;
    for (const { kind, found, repaired } of differences) {
      this.differences.inc({ kind, outcome: 'repaired' }, repaired);
      this.differences.inc({ kind, outcome: 'left' }, Math.max(0, found - repaired));
    }
    if (differences.length > 0) logger.warn(report, 'stores differed');
    else if (copiesUnread > 0) logger.warn(report, 'stores agree as far as they could be read');
    else logger.info(report, 'stores agree');
  }
}
