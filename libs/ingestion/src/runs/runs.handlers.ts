import { Injectable } from '@nestjs/common';
import {
  advanceIngestionRun,
  cancelIngestionRun,
  type Empty,
  listRuns,
  previewCancellation,
  type RootReference,
  type Retried,
  retryFailed,
  type RunReference,
  type RunRequest,
  type Runs,
  type RunsRequest,
  type RunSummary,
  startIngestionRun,
  startRun,
  type TouchedWork,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { WorkSignals } from '@acervo/platform-queue';
import { type Scope, visibilityOf, type WorkScope } from '@acervo/rbac';
import { LocationStore } from '../locations/location.store';
import { DocumentWork } from '../pipeline/document-work';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { ACQUIRE } from '../kernel/stages';
import { DoubtedScans } from '../scans/doubted-scans';
import { RunStore } from '../scans/run.store';
import { ScanRequests } from '../scans/scan-requests';
import { ScanService } from '../scans/scan.service';

/** Starts, advances, cancels and lists runs. */
@Injectable()
export class RunsHandlers {
  constructor(
    private readonly locations: LocationStore,
    private readonly scans: ScanService,
    private readonly runs: RunStore,
    private readonly requests: ScanRequests,
    private readonly doubted: DoubtedScans,
    private readonly documentWork: DocumentWork,
    private readonly workSignals: WorkSignals,
  ) {}

  /** Scans before it answers. The scan writes as it goes; the transaction of the call finishes its run. */
  @Handles(startRun)
  async scanNow(
    scope: WorkScope,
    { locationCode, acceptDeletions }: RunRequest,
    context: WriteContext,
  ): Promise<RunSummary> {
    const { locations, runs, scans } = this;
    const root = await locations.root(scope, locationCode);
    const run = await runs.open(scope, root, acceptDeletions);
    try {
      const summary = await scans.scan(scope, root, { run, acceptDeletions });
      await context.write(async (tx) => {
        await runs.finish(tx, run, summary);
        await this.doubted.report(tx, root, summary);
      });
      return { run, ...summary };
    } catch (error) {
      await runs.breakOff(scope, run);
      throw error;
    }
  }

  @Handles(retryFailed)
  async retry(scope: WorkScope, _input: Empty, context: WriteContext): Promise<Retried> {
    const documents = await context.write((tx) => this.documentWork.retryFailed(tx, 'all'));
    await this.workSignals.notify(scope.groupId, ACQUIRE.name);
    return { documents: documents.length };
  }

  @Handles(startIngestionRun)
  async start(scope: Scope, { locationCode }: RootReference, context: WriteContext): Promise<RunReference> {
    const root = await this.locations.visibleRoot(visibilityOf(scope), locationCode);
    const planned = await context.write(async (tx) => ({ run: await this.requests.plan(tx, root, false) }));
    await this.requests.notify(scope);
    return planned;
  }

  @Handles(advanceIngestionRun)
  async advance(scope: Scope, { run }: RunReference, context: WriteContext): Promise<TouchedWork> {
    const { runs, documentWork, workSignals } = this;
    const documents = await context.write(async (tx) => {
      await runs.lockForUpdate(tx, visibilityOf(scope), run);
      return documentWork.advance(tx, { run });
    });
    for (const stage of pipelineOrder.stages) await workSignals.notify(scope.groupId, stage.name);
    return { run, documents };
  }

  @Handles(cancelIngestionRun)
  cancel(scope: Scope, { run }: RunReference, context: WriteContext): Promise<TouchedWork> {
    const { runs } = this;
    return context.write(async (tx) => {
      const { runId } = await runs.lockForUpdate(tx, visibilityOf(scope), run);
      return { run, documents: await runs.cancel(tx, run, runId) };
    });
  }

  @Handles(previewCancellation)
  async previewCancel(scope: Scope, { run }: RunReference): Promise<TouchedWork> {
    return { run, documents: await this.runs.documentsAtWork(visibilityOf(scope), run) };
  }

  @Handles(listRuns)
  async listRuns(scope: Scope, { limit }: RunsRequest): Promise<Runs> {
    return { runs: await this.runs.list(visibilityOf(scope), limit) };
  }
}
