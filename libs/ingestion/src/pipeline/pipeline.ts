import { Injectable } from '@nestjs/common';
import { isConnectionLost } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { WorkSignals, type Lease, LeaseLost, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { DocumentRefused } from '../files/refusal';
import { Batch, type BatchWork } from './batch';
import { ThrottledNotifier } from './throttled-notifier';
import { LeaseRenewal } from './lease-renewal';
import { Refusals } from './refusals';
import { StepOutcomes } from './step-outcomes';
import type { Step } from './steps/step';
import { type WorkingDocument, WorkingDocumentStore } from './working-document.store';

/** One running batch of one step. */
interface Run {
  readonly scope: WorkScope;
  readonly step: Step;
  readonly renewal: LeaseRenewal;
  readonly notifier: ThrottledNotifier;
  readonly found: Map<string, WorkingDocument>;
  readonly failures: unknown[];
  readonly stopping: AbortSignal;
}

/**
 * Works batches of a step: each document outside any transaction, its result, its lease and its next task in one short
 * one. Transient errors are thrown at the end of the batch, and their leases are given back for a retry.
 */
@Injectable()
export class Pipeline {
  constructor(
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly documents: WorkingDocumentStore,
    private readonly outcomes: StepOutcomes,
    private readonly refusals: Refusals,
  ) {}

  async work(scope: WorkScope, step: Step, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    const { tasks, workSignals } = this;
    const found = await this.find(scope, leases);
    const renewal = new LeaseRenewal(tasks, leases, step.stage.leaseSeconds);
    const notifier = new ThrottledNotifier(() => workSignals.notify(scope.groupId, step.next.name));
    const run: Run = { scope, step, renewal, notifier, found, failures: [], stopping };
    const one = async (lease: Lease): Promise<void> => {
      await inTraceOf(lease, () => this.workOne(run, lease)).catch((error: unknown) =>
        this.failed(run, lease, leases.includes(lease), error),
      );
      renewal.done(lease);
    };
    try {
      await new Batch({ leases, atOnce: step.atOnce, one, ...this.sharing(run) }).run();
    } finally {
      await renewal.close();
    }
    await notifier.end();
    if (run.failures.length > 0) throw run.failures[0];
  }

  /** How a batch shares its slot with the batches of other groups. Urgent work takes no slot. */
  private sharing(run: Run): Pick<BatchWork, 'another' | 'othersWait' | 'release' | 'stopping'> {
    const { scope, step, renewal, stopping } = run;
    return {
      stopping,
      another: () => this.another(run),
      othersWait: async () =>
        scope.urgent !== true && (await this.workSignals.othersWait(scope.groupId, step.stage.name)),
      release: async (leases) => {
        for (const lease of leases) renewal.done(lease);
        await this.tasks.release(scope, leases);
      },
    };
  }

  private async workOne({ scope, step, renewal, notifier, found }: Run, lease: Lease): Promise<void> {
    const document = found.get(lease.subjectId);
    if (document?.generation !== lease.generation || document.status !== step.from)
      return this.outcomes.drop(scope, lease);
    try {
      const done = await step.work(scope, document, renewal.progress);
      await this.outcomes.end(scope, step, lease, document, done);
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
      return this.refusals.refuse(scope, lease, error);
    }
    await notifier.done();
  }

  /** The runner gives back its own leases, at the end of the batch. */
  private async failed({ scope, step, failures }: Run, lease: Lease, isOfRunner: boolean, error: unknown) {
    if (isConnectionLost(error)) throw error;
    if (error instanceof LeaseLost) return;
    failures.push(error);
    if (!isOfRunner) await this.outcomes.giveBack(scope, step, lease, error);
  }

  private async another({ scope, step: { stage }, renewal, found }: Run): Promise<Lease | undefined> {
    const claimed = await this.tasks.claim(scope, stage.name, 1, stage.leaseSeconds, true);
    renewal.add(claimed);
    for (const [id, document] of await this.find(scope, claimed)) found.set(id, document);
    return claimed[0];
  }

  private async find(scope: WorkScope, leases: readonly Lease[]): Promise<Map<string, WorkingDocument>> {
    const ids = leases.map(({ subjectId }) => subjectId);
    return new Map(ids.length === 0 ? [] : await this.documents.find(scope, ids));
  }
}
