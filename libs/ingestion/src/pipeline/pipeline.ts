import type { Database, Transaction } from '@acervo/platform-database';
import { type Doorbells, type Lease, LeaseKeeper, LeaseLost, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { DocumentFacts } from '../documents/document.facts';
import type { VectorBacklog } from '../embedding/vector-backlog';
import { DocumentRefused } from '../files/refusal';
import { VECTORS } from './stages';
import { inParallel } from './in-parallel';
import type { Alive, Done, Step } from './steps';
import type { WorkingDocument, WorkStore } from './work.store';

export interface PipelineParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly documents: WorkStore;
  readonly facts: DocumentFacts;
  readonly vectors: Pick<VectorBacklog, 'lacks'>;
}

/**
 * Works batches of a step: each document outside any transaction, its result, its lease and its next task in one
 * short one. What may pass by itself is thrown at the end of the batch and given back to be tried again.
 */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  async work(scope: WorkScope, step: Step, leases: readonly Lease[]): Promise<void> {
    const { documents, doorbells, tasks } = this.parts;
    const found = await documents.find(
      scope,
      leases.map(({ subjectId }) => subjectId),
    );
    const keeper = new LeaseKeeper(tasks, leases, step.stage.leaseSeconds);
    const failures = await inParallel(leases, step.parallel ?? 1, async (lease, earliest) => {
      const alive = (): Promise<void> => keeper.keep(earliest());
      await alive();
      await this.workOne(scope, step, lease, { document: found.get(lease.subjectId), alive });
    });
    if (failures.length < leases.length) await doorbells.ring(scope.groupId, step.next.name);
    if (failures.length > 0) throw failures[0];
  }

  /** Hands documents over to retrieval, with everything that it needs to know about them. */
  async handOver(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, facts } = this.parts;
    for (const lease of leases)
      await database
        .write(scope, async (tx) => {
          await tasks.complete(tx, lease);
          if (await facts.handOver(tx, lease.subjectId, lease.generation)) await this.askForVectors(tx, lease);
        })
        .catch((error: unknown) => {
          if (!(error instanceof LeaseLost)) throw error;
        });
    await this.parts.doorbells.ring(scope.groupId, VECTORS.name);
  }

  /** Leaves a document that failed too often; the next scan tries it again. */
  async giveUp(scope: WorkScope, lease: Lease, reason: string): Promise<void> {
    const { database, tasks, documents } = this.parts;
    await database
      .write(scope, async (tx) => {
        await tasks.fail(tx, lease, { reason, retryInMs: null });
        const sentence = `The document could not be worked on (${lease.stage}, ${reason}); the next scan tries again.`;
        await documents.fail(tx, lease.subjectId, lease.generation, {
          status: 'ERROR',
          reason: sentence,
          retryOnScan: true,
        });
      })
      .catch((error: unknown) => {
        // The batch failed for another document; this one was committed before.
        if (!(error instanceof LeaseLost)) throw error;
      });
  }

  private async workOne(
    scope: WorkScope,
    step: Step,
    lease: Lease,
    { document, alive }: { document: WorkingDocument | undefined; alive: Alive },
  ): Promise<void> {
    if (document?.generation !== lease.generation || document.status !== step.from) return this.drop(scope, lease);
    try {
      await this.commit(scope, step, lease, document, await step.work(scope, document, alive));
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
      await this.refuse(scope, lease, error);
    }
  }

  private async commit(
    scope: WorkScope,
    step: Step,
    lease: Lease,
    document: WorkingDocument,
    { patch, keep }: Done,
  ): Promise<void> {
    const { database, tasks, documents } = this.parts;
    const { subjectId, generation } = lease;
    await database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await keep(tx);
      if (await documents.advance(tx, document, step, patch))
        await tasks.enqueue(tx, { subjectId, stage: step.next.name, generation });
    });
  }

  /** What was handed over without vectors of the embedder in use gets them afterwards. */
  private async askForVectors(tx: Transaction, { subjectId, generation }: Lease): Promise<void> {
    const { vectors, tasks } = this.parts;
    if (await vectors.lacks(tx, subjectId)) await tasks.enqueue(tx, { subjectId, stage: VECTORS.name, generation });
  }

  /** Work on what the document no longer is. */
  private drop(scope: WorkScope, lease: Lease): Promise<void> {
    return this.parts.database.write(scope, (tx) => this.parts.tasks.complete(tx, lease));
  }

  /** The new content gives nothing to search, so what was searchable of the old one goes. */
  private async refuse(scope: WorkScope, lease: Lease, { status, message, retryOnScan }: DocumentRefused) {
    const { database, tasks, documents, facts } = this.parts;
    await database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      const refusal = { status, reason: message, retryOnScan };
      if (!(await documents.fail(tx, lease.subjectId, lease.generation, refusal))) return;
      if (!retryOnScan) await facts.withdraw(tx, [lease.subjectId]);
    });
  }
}
