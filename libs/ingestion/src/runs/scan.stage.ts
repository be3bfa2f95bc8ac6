import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { LocationStore } from '../locations/location.store';
import { SCAN } from '../pipeline/stages';
import { RunStore } from './run.store';
import { ScanService } from './scan.service';
import { DELETED, unscanned } from './scan-summary';

const GIVEN_UP = unscanned('The scan failed and was given up; start another one, or see the log.');

const KEPT_EVERY_MS = (SCAN.leaseSeconds * 1_000) / 6;

/** Requested and due scans. A restarted scan repeats the walk; rows already written are skipped. */
@Injectable()
export class ScanStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly locations: LocationStore,
    private readonly runs: RunStore,
    private readonly scans: ScanService,
  ) {}

  @RunsStage(SCAN)
  async scan(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { tasks } = this;
    const keeper = new LeaseKeeper(tasks, leases, SCAN.leaseSeconds);
    for (const lease of leases) {
      const keep = (): Promise<void> => keeper.keep(lease);
      // The walk of a large share takes long without a batch: without renewal, another worker would begin the scan
      // again.
      const timer = setInterval(() => void keep().catch(() => undefined), KEPT_EVERY_MS);
      try {
        await inTraceOf(lease, () => this.scanOne(scope, lease, keep));
      } finally {
        clearInterval(timer);
      }
    }
  }

  /** Records a run whose scan was given up as finished, so that its callers stop waiting. */
  async exhausted(scope: WorkScope, lease: Lease): Promise<void> {
    const { database, runs } = this;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned !== undefined) await database.write(scope, (tx) => runs.finish(tx, planned.run, GIVEN_UP));
  }

  private async scanOne(scope: WorkScope, lease: Lease, progress: () => Promise<void>): Promise<void> {
    const { database, tasks, locations, runs, scans } = this;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned === undefined) return database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
    const root = await locations.find(scope, planned.locationCode);
    const summary = root === undefined ? DELETED : await scans.scan(scope, root, { ...planned, progress });
    await database.write(scope, async (tx) => {
      // The cancellation deleted the task.
      if (summary.cancelled !== true) await tasks.completeAndDelete(tx, lease);
      await runs.finish(tx, planned.run, summary);
    });
  }
}
