import { Injectable } from '@nestjs/common';
import { DocumentRefused } from '@acervo/files';
import { BackgroundDatabase, isConnectionLost, SliceSize } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { WorkSignals, type Lease, LeaseLost, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { WorkBatch, type BatchWork } from '../kernel/batch';
import { FusedSteps, RefusedLater } from './fused-steps';
import { LeaseRenewal } from '../kernel/lease-renewal';
import type { Outcome } from './outcome';
import { OUTCOMES, OutcomeWriter } from '../kernel/outcome-writer';
import { Refusals } from './refusals';
import { StageNotifier } from './stage-notifier';
import { StepOutcomes } from './step-outcomes';
import { type PipelineStep, PipelineSteps } from './steps/pipeline-steps';
import { type WorkingDocument, WorkingDocumentStore } from '../document-state/working-document.store';

/** One running batch of one stage. */
interface BatchRun {
  readonly scope: WorkScope;
  readonly stage: Stage;
  readonly ofRunner: readonly Lease[];
  readonly renewal: LeaseRenewal;
  readonly failures: unknown[];
}

/** One running batch of a step. */
interface StepRun extends BatchRun {
  readonly step: PipelineStep;
  readonly writer: OutcomeWriter<Outcome>;
  readonly notifier: StageNotifier;
  readonly found: Map<string, WorkingDocument>;
  readonly stopping: AbortSignal;
}

/**
 * Works batches: each document through its cheap steps outside any transaction, the outcomes of several documents in one
 * short one. Transient errors are thrown at the end of the batch, and their leases are given back for a retry.
 */
@Injectable()
export class Pipeline {
  private readonly size: SliceSize;

  constructor(
    database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly documents: WorkingDocumentStore,
    private readonly fused: FusedSteps,
    private readonly steps: PipelineSteps,
    private readonly outcomes: StepOutcomes,
    private readonly refusals: Refusals,
  ) {
    this.size = new SliceSize(database, OUTCOMES);
  }

  async work(scope: WorkScope, step: PipelineStep, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const run = await this.begin(scope, step, leases, stopping);
    const { renewal, writer, notifier, failures } = run;
    const one = async (lease: Lease): Promise<void> => {
      await inTraceOf(lease, () => this.workOne(run, lease)).catch((error: unknown) => this.failed(run, lease, error));
      await notifier.signal();
    };
    try {
      await new WorkBatch({ leases, atOnce: step.step.atOnce ?? 1, one, ...this.sharing(run) }).run();
      await writer.flush();
    } finally {
      writer.close();
      await renewal.close();
    }
    await notifier.end();
    if (failures.length > 0) throw failures[0];
  }

  /** Commits outcomes that need no work, as a batch of their own. */
  async end(scope: WorkScope, stage: Stage, outcomes: readonly Outcome[]): Promise<void> {
    const leases = outcomes.map(({ lease }) => lease);
    const renewal = new LeaseRenewal(this.tasks, leases, stage.leaseSeconds);
    const run: BatchRun = { scope, stage, ofRunner: leases, renewal, failures: [] };
    const writer = this.writer(run);
    try {
      for (const outcome of outcomes) await writer.add(outcome);
      await writer.flush();
    } finally {
      writer.close();
      await renewal.close();
    }
    await new StageNotifier(this.workSignals, scope, writer.stages).end();
    if (run.failures.length > 0) throw run.failures[0];
  }

  private async begin(
    scope: WorkScope,
    step: PipelineStep,
    leases: readonly Lease[],
    stopping: AbortSignal,
  ): Promise<StepRun> {
    const { stage } = step.row;
    const found = await this.find(scope, leases);
    const renewal = new LeaseRenewal(this.tasks, leases, stage.leaseSeconds);
    const run: BatchRun = { scope, stage, ofRunner: leases, renewal, failures: [] };
    const writer = this.writer(run);
    const notifier = new StageNotifier(this.workSignals, scope, writer.stages);
    return { ...run, step, writer, notifier, found, stopping };
  }

  private writer(run: BatchRun): OutcomeWriter<Outcome> {
    const { outcomes, size } = this;
    return new OutcomeWriter(outcomes, size, run.scope, {
      over: (lease) => run.renewal.done(lease),
      failed: (lease, error) => this.failed(run, lease, error),
    });
  }

  /** How a batch shares its slot with the batches of other groups. Urgent work takes no slot. */
  private sharing(run: StepRun): Pick<BatchWork, 'another' | 'othersWait' | 'release' | 'stopping'> {
    const { scope, stage, renewal, stopping } = run;
    return {
      stopping,
      another: () => this.another(run),
      othersWait: async () => scope.urgent !== true && (await this.workSignals.othersWait(scope.groupId, stage.name)),
      release: async (leases) => {
        for (const lease of leases) renewal.done(lease);
        await this.tasks.release(scope, leases);
      },
    };
  }

  private async workOne({ scope, step, renewal, writer, found, stopping }: StepRun, lease: Lease): Promise<void> {
    const document = found.get(lease.subjectId);
    const first = document === undefined ? undefined : this.steps.beginning(step, document.status);
    if (document?.generation !== lease.generation || first === undefined) return writer.add({ lease, nextStage: null });
    const { progress } = renewal;
    try {
      await writer.add(await this.fused.run(scope, first, { lease, document, progress, stopping }));
    } catch (error) {
      if (error instanceof RefusedLater) await this.refusals.refuse(scope, lease, error.refused, [error.output]);
      else if (error instanceof DocumentRefused) await this.refusals.refuse(scope, lease, error);
      else throw error;
      renewal.done(lease);
    }
  }

  /** The runner gives back its own leases, at the end of the batch. */
  private async failed({ scope, stage, ofRunner, renewal, failures }: BatchRun, lease: Lease, error: unknown) {
    if (isConnectionLost(error)) throw error;
    renewal.done(lease);
    if (error instanceof LeaseLost) return;
    failures.push(error);
    if (!ofRunner.includes(lease)) await this.outcomes.giveBack(scope, stage, lease, error);
  }

  /** As many more as the runner took. */
  private async another({ scope, stage, renewal, found }: StepRun): Promise<readonly Lease[]> {
    const claimed = await this.tasks.claim(scope, stage.name, stage.batch, stage.leaseSeconds, true);
    renewal.add(claimed);
    for (const [id, document] of await this.find(scope, claimed)) found.set(id, document);
    return claimed;
  }

  private async find(scope: WorkScope, leases: readonly Lease[]): Promise<Map<string, WorkingDocument>> {
    const ids = leases.map(({ subjectId }) => subjectId);
    return new Map(ids.length === 0 ? [] : await this.documents.find(scope, ids));
  }
}
