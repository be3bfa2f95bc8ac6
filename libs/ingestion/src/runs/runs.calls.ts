import {
  advanceIngestionRun,
  cancelIngestionRun,
  type Empty,
  type IngestionProgress,
  ingestionProgress,
  listQueue,
  listRunQueue,
  listRuns,
  previewCancellation,
  type LocationToScan,
  type PipelineSummary,
  type Queue,
  type QueueRequest,
  type Retried,
  retryFailed,
  type RunQueueRequest,
  type RunReference,
  type RunRequest,
  type Runs,
  type RunsRequest,
  type RunSummary,
  startIngestionRun,
  startRun,
  summarisePipeline,
  type TouchedWork,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Doorbells, Tasks } from '@acervo/platform-queue';
import { type Scope, visibilityOf, type WorkScope } from '@acervo/rbac';
import type { LocationStore } from '../locations/location.store';
import { advanceWork, retryFailed as retryFailedDocuments } from '../pipeline/advance';
import { ACQUIRE, pipelineStages, SCAN } from '../pipeline/stages';
import type { ProgressStore } from './progress.store';
import type { QueueStore } from './queue.store';
import type { RunStore } from './run.store';
import type { ScanService } from './scan.service';

export interface RunsParts {
  readonly locations: LocationStore;
  readonly scans: ScanService;
  readonly runs: RunStore;
  readonly queue: QueueStore;
  readonly progress: ProgressStore;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
}

export class RunsCalls {
  constructor(private readonly parts: RunsParts) {}

  /** Scans now. What the scan finds is written as it goes; the transaction of the call closes the run that it was. */
  @Handles(startRun)
  async scanNow(
    scope: WorkScope,
    { locationCode, acceptDeletions }: RunRequest,
    context: WriteContext,
  ): Promise<RunSummary> {
    const { locations, runs, scans } = this.parts;
    const root = await locations.root(scope, locationCode);
    const run = await runs.open(scope, root, acceptDeletions);
    try {
      const summary = await scans.scan(scope, root, { run, acceptDeletions });
      await context.write((tx) => runs.finish(tx, run, summary));
      return { run, ...summary };
    } catch (error) {
      await runs.breakOff(scope, run);
      throw error;
    }
  }

  @Handles(retryFailed)
  async retry(scope: WorkScope, _input: Empty, context: WriteContext): Promise<Retried> {
    const documents = await context.write((tx) => retryFailedDocuments(tx, this.parts.tasks, 'all'));
    await this.parts.doorbells.ring(scope.groupId, ACQUIRE.name);
    return { documents: documents.length };
  }

  @Handles(ingestionProgress)
  progress(scope: WorkScope, _input: Empty): Promise<IngestionProgress> {
    return this.parts.progress.read(scope);
  }

  @Handles(startIngestionRun)
  async start(scope: Scope, { locationCode }: LocationToScan, context: WriteContext): Promise<RunReference> {
    const { locations, runs, tasks, doorbells } = this.parts;
    const root = await locations.visibleRoot(visibilityOf(scope), locationCode);
    const planned = await context.write(async (tx) => {
      const { run, runId } = await runs.plan(tx, root, false);
      await tasks.enqueue(tx, { subjectId: runId, stage: SCAN.name, generation: 1 });
      return { run };
    });
    await doorbells.ring(scope.groupId, SCAN.name);
    return planned;
  }

  @Handles(advanceIngestionRun)
  async advance(scope: Scope, { run }: RunReference, context: WriteContext): Promise<TouchedWork> {
    const { runs, tasks, doorbells } = this.parts;
    const documents = await context.write(async (tx) => {
      await runs.hold(tx, visibilityOf(scope), run);
      return advanceWork(tx, tasks, { run });
    });
    for (const stage of pipelineStages) await doorbells.ring(scope.groupId, stage.name);
    return { run, documents };
  }

  @Handles(cancelIngestionRun)
  cancel(scope: Scope, { run }: RunReference, context: WriteContext): Promise<TouchedWork> {
    const { runs, tasks } = this.parts;
    return context.write(async (tx) => {
      const { runId } = await runs.hold(tx, visibilityOf(scope), run);
      const ids = await runs.cancel(tx, run);
      for (const id of [runId, ...ids]) await tasks.abandon(tx, id);
      return { run, documents: ids.length };
    });
  }

  @Handles(previewCancellation)
  async previewCancel(scope: Scope, { run }: RunReference): Promise<TouchedWork> {
    return { run, documents: await this.parts.runs.documentsAtWork(visibilityOf(scope), run) };
  }

  @Handles(listQueue)
  list(scope: Scope, request: QueueRequest): Promise<Queue> {
    return this.parts.queue.list(visibilityOf(scope), request);
  }

  @Handles(listRunQueue)
  async listOfRun(scope: Scope, { run, status, limit }: RunQueueRequest): Promise<Queue> {
    const visibility = visibilityOf(scope);
    await this.parts.runs.documentsAtWork(visibility, run);
    return this.parts.queue.list(visibility, { run, limit, ...(status === undefined ? {} : { status }) });
  }

  @Handles(summarisePipeline)
  summary(scope: Scope, _input: Empty): Promise<PipelineSummary> {
    return this.parts.queue.summary(visibilityOf(scope));
  }

  @Handles(listRuns)
  async listRuns(scope: Scope, { limit }: RunsRequest): Promise<Runs> {
    return { runs: await this.parts.runs.list(visibilityOf(scope), limit) };
  }
}
