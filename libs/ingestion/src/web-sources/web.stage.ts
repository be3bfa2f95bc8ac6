import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Rates } from '@acervo/platform-counters';
import { inTraceOf } from '@acervo/platform-observability';
import { assertNotInterrupted, type Lease, LeaseKeeper, RunsStage, Tasks, WorkSignals } from '@acervo/platform-queue';
import { Periodic } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';
import { WEB } from '../kernel/stages';
import { LocationStore, type Root } from '../locations/location.store';
import { RunLock } from '../scans/run-lock';
import { type PlannedRun, RunStore } from '../scans/run.store';
import { cancelledAfter, DELETED, unscanned } from '../scans/scan-summary';
import { ScanCancelled } from '../scans/scan-locks';
import { WebRefresh } from './web-refresh';
import { WebResearch } from './web-research';
import { type WebSource, WebSourceStore } from './web-source.store';
import type { WebOutcome } from './web-run';

const GIVEN_UP = unscanned('The run failed and was given up; start another one, or see the log.');

/** How long a lease works: the sites set the pace, and other work needs the slot. */
const LEASE_WORK_MS = 20_000;
const KEPT_EVERY_MS = (WEB.leaseSeconds * 1_000) / 6;

/** How a run keeps its lease, and until when. */
interface KeptLease {
  readonly keep: () => Promise<void>;
  readonly advanced: (tx: Transaction) => Promise<void>;
  readonly stopping: AbortSignal;
}

/** Works runs of web locations, a lease at a time; whichever worker has the next lease goes on where this one ended. */
@Injectable()
export class WebStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly locations: LocationStore,
    private readonly sources: WebSourceStore,
    private readonly runs: RunStore,
    private readonly lock: RunLock,
    private readonly research: WebResearch,
    private readonly refresh: WebRefresh,
    private readonly rates: Rates,
  ) {}

  @RunsStage(WEB)
  async work(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const keeper = new LeaseKeeper(this.tasks, leases, WEB.leaseSeconds);
    for (const lease of leases) {
      const keep = (): Promise<void> => keeper.keep(lease);
      const advanced = (tx: Transaction): Promise<void> => this.tasks.advanced(tx, lease);
      const renewal = new Periodic(keep, { everyMs: KEPT_EVERY_MS });
      await renewal.during(() => inTraceOf(lease, () => this.workOne(scope, lease, { keep, advanced, stopping })));
    }
  }

  /** Records a run that was given up as finished, so that its callers stop waiting. */
  async exhausted(scope: WorkScope, lease: Lease): Promise<void> {
    const { database, runs } = this;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned !== undefined) await database.write(scope, (tx) => runs.finish(tx, planned.run, GIVEN_UP));
  }

  private async workOne(scope: WorkScope, lease: Lease, leaseOfRun: KeptLease): Promise<void> {
    const { database, tasks, runs } = this;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned === undefined) return database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
    const outcome = await this.outcomeOf(scope, planned, leaseOfRun);
    if ('againInMs' in outcome) return this.goOnLater(scope, lease, outcome.againInMs);
    const { summary } = outcome;
    await database.write(scope, async (tx) => {
      // The cancellation deleted the task.
      if (summary.cancelled !== true) await tasks.completeAndDelete(tx, lease);
      await runs.finish(tx, planned.run, summary);
    });
    await this.rates.prune();
  }

  private async outcomeOf(scope: WorkScope, planned: PlannedRun, leaseOfRun: KeptLease): Promise<WebOutcome> {
    const root = await this.locations.find(scope, planned.locationCode);
    const source = await this.database.read(scope, (tx) => this.sources.find(tx, planned.locationCode));
    if (root === undefined || source === undefined) return { summary: DELETED };
    try {
      return await this.underLock(scope, { root, source, planned }, leaseOfRun);
    } catch (error) {
      if (error instanceof ScanCancelled) return { summary: cancelledAfter({}) };
      throw error;
    }
  }

  private underLock(
    scope: WorkScope,
    { root, source, planned }: { readonly root: Root; readonly source: WebSource; readonly planned: PlannedRun },
    { keep, advanced, stopping }: KeptLease,
  ): Promise<WebOutcome> {
    const { run, acceptDeletions, research } = planned;
    const progress = (): Promise<void> => {
      assertNotInterrupted(stopping);
      return keep();
    };
    return this.lock.withLock(scope, root, { run, progress }, (lock) => {
      const begunAt = performance.now();
      const isOver = (): boolean => performance.now() - begunAt > LEASE_WORK_MS;
      const job = { scope, root, run, lock, acceptDeletions, progress, advanced, stopping, isOver };
      return research ? this.research.work(job, source) : this.refresh.work(job);
    });
  }

  private async goOnLater(scope: WorkScope, lease: Lease, retryInMs: number): Promise<void> {
    await this.database.write(scope, (tx) =>
      this.tasks.postponeAll(tx, [lease], { reason: 'SitePace', retryInMs, counts: false }),
    );
    if (retryInMs === 0) await this.workSignals.notify(scope.groupId, WEB.name);
  }
}
