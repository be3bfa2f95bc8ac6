import type { Database } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { LocationStore } from '../locations/location.store';
import { SCAN } from '../pipeline/stages';
import type { RunStore } from './run.store';
import type { ScanService } from './scan.service';
import { DELETED, unscanned } from './scan-summary';

const GIVEN_UP = unscanned(
  'The scan could not be brought to its end and was given up; start another one, or see the log.',
);

const KEPT_EVERY_MS = (SCAN.leaseSeconds * 1_000) / 6;

export interface ScanStageParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly locations: LocationStore;
  readonly runs: RunStore;
  readonly scans: ScanService;
}

/** Scans that somebody asked for, or whose time has come. One that is interrupted begins anew: what it found before is known by then. */
export class ScanStage {
  constructor(private readonly parts: ScanStageParts) {}

  @RunsStage(SCAN)
  async scan(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { tasks } = this.parts;
    const keeper = new LeaseKeeper(tasks, leases, SCAN.leaseSeconds);
    for (const lease of leases) {
      const keep = (): Promise<void> => keeper.keep(lease);
      // A large share takes long to be walked, without a batch to tell of: somebody else would begin the scan anew.
      const timer = setInterval(() => void keep().catch(() => undefined), KEPT_EVERY_MS);
      try {
        await inTraceOf(lease, () => this.scanOne(scope, lease, keep));
      } finally {
        clearInterval(timer);
      }
    }
  }

  /** A scan that cannot be ended is written down as over, so that nobody waits for it. */
  async exhausted(scope: WorkScope, lease: Lease): Promise<void> {
    const { database, runs } = this.parts;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned !== undefined) await database.write(scope, (tx) => runs.finish(tx, planned.run, GIVEN_UP));
  }

  private async scanOne(scope: WorkScope, lease: Lease, progress: () => Promise<void>): Promise<void> {
    const { database, tasks, locations, runs, scans } = this.parts;
    const planned = await runs.planned(scope, lease.subjectId);
    if (planned === undefined) return database.write(scope, (tx) => tasks.dismiss(tx, lease));
    const root = await locations.find(scope, planned.locationCode);
    const summary = root === undefined ? DELETED : await scans.scan(scope, root, { ...planned, progress });
    await database.write(scope, async (tx) => {
      // The cancellation took the task away.
      if (summary.cancelled !== true) await tasks.dismiss(tx, lease);
      await runs.finish(tx, planned.run, summary);
    });
  }
}
