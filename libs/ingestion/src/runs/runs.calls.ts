import {
  type Empty,
  type IngestionProgress,
  ingestionProgress,
  type RunRequest,
  type RunSummary,
  startRun,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import type { LocationStore } from '../locations/location.store';
import type { ProgressStore } from './progress.store';
import { recordRun } from './run.store';
import type { ScanService } from './scan.service';

export class RunsCalls {
  constructor(
    private readonly locations: LocationStore,
    private readonly scans: ScanService,
    private readonly progressStore: ProgressStore,
  ) {}

  /** What the scan finds is written as it goes; the transaction of the call writes the run that it was. */
  @Handles(startRun)
  async start(
    scope: WorkScope,
    { locationCode, acceptDeletions }: RunRequest,
    context: WriteContext,
  ): Promise<RunSummary> {
    const startedAt = new Date();
    const root = await this.locations.root(scope, locationCode);
    const summary = await this.scans.scan(scope, root, acceptDeletions);
    return context.write(async (tx) => ({ run: await recordRun(tx, { root, startedAt, summary }), ...summary }));
  }

  @Handles(ingestionProgress)
  progress(scope: WorkScope, _input: Empty): Promise<IngestionProgress> {
    return this.progressStore.read(scope);
  }
}
