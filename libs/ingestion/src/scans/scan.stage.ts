import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { assertNotInterrupted, type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import { Periodic } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';
import { LocationStore } from '../locations/location.store';
import { SCAN } from '../kernel/stages';
import { DoubtedScans } from './doubted-scans';
import { RunStore } from './run.store';
import { ScanService } from './scan.service';
import { DELETED, unscanned } from './scan-summary';

const GIVEN_UP = unscanned('The scan failed and was given up; start another one, or see the log.');

/** How a scan keeps its lease, and until when. */
interface LeaseOfScan {
  readonly keep: () => Promise<void>;
  readonly stopping: AbortSignal;
}

const KEPT_EVERY_MS = (SCAN.leaseSeconds * 1_000) / 6;

/**
 * Requested and due scans. A restarted scan repeats the walk; rows already written are skipped. At the end of the process
 * a scan is interrupted at once, and its root is free for another process.
 */
@Injectable()
export class ScanStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly locations: LocationStore,
    private readonly runs: RunStore,
    private readonly scans: ScanService,
    private readonly doubted: DoubtedScans,
  ) {}

  @RunsStage(SCAN)
  async scan(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const { tasks } = this;
    const keeper = new LeaseKeeper(tasks, leases, SCAN.leaseSeconds);
    for (const lease of leases) {
      const keep = (): Promise<void> => keeper.keep(lease);
      // The walk of a large share takes long without a batch: without renewal, another worker would begin the scan
      // again.
      const renewal = new Periodic(keep, { everyMs: KEPT_EVERY_MS });
      await renewal.during(() => inTraceOf(lease, () => this.scanOne(scope, lease, { keep, stopping })));
    }
  }

  /** Records a run whose scan was given up as finished, so that its callers stop waiting. */
  async exhausted(scope: WorkScope, lease: Lease): Promise<void> {
    const { database, runs } = this;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned !== undefined) await database.write(scope, (tx) => runs.finish(tx, planned.run, GIVEN_UP));
  }

  private async scanOne(scope: WorkScope, lease: Lease, { keep, stopping }: LeaseOfScan): Promise<void> {
    const { database, tasks, locations, runs, scans } = this;
    const progress = (): Promise<void> => {
      assertNotInterrupted(stopping);
      return keep();
    };
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned === undefined) return database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
    const root = await locations.find(scope, planned.locationCode);
    const summary = root === undefined ? DELETED : await scans.scan(scope, root, { ...planned, progress, stopping });
    await database.write(scope, async (tx) => {
      // The cancellation deleted the task.
      if (summary.cancelled !== true) await tasks.completeAndDelete(tx, lease);
      await runs.finish(tx, planned.run, summary);
      if (root !== undefined) await this.doubted.report(tx, root, summary);
    });
  }
}
