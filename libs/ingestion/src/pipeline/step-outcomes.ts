import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, LeaseLost, retryOf, Tasks, WORKER_DIED } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ObjectGarbageCollector } from '../documents/object-garbage-collector';
import { priorityAfter } from './priority';
import type { Done, Step } from './steps/step';
import { type WorkingDocument, WorkingDocumentStore } from './working-document.store';

/** Writes the outcome of one attempt of a step: result, lease and next task in one short transaction. */
@Injectable()
export class StepOutcomes {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documents: WorkingDocumentStore,
    private readonly garbageCollector: ObjectGarbageCollector,
  ) {}

  /** Commits the result of a step, unless the document changed meanwhile. */
  async end(scope: WorkScope, step: Step, lease: Lease, document: WorkingDocument, done: Done): Promise<void> {
    if (!(await this.commit(scope, step, lease, document, done))) await this.discardResult(scope, document, done);
  }

  /** Completes work on an outdated generation of a document. */
  drop(scope: WorkScope, lease: Lease): Promise<void> {
    return this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
  }

  /** Gives back a lease that was taken in the middle of a batch. */
  async giveBack(scope: WorkScope, { stage }: Step, lease: Lease, error: unknown): Promise<void> {
    const { database, tasks } = this;
    const reason = error instanceof Error ? error.name : 'Error';
    const { retryInMs, counts } = retryOf(error, lease.attempts);
    if (counts && lease.attempts >= stage.attempts) return this.giveUp(scope, lease, reason);
    await database
      .write(scope, (tx) => tasks.fail(tx, lease, { reason, retryInMs, counts }))
      .catch((lost: unknown) => {
        if (!(lost instanceof LeaseLost)) throw lost;
      });
  }

  /** Gives up on a document that failed too often; the next scan retries it, unless it killed its worker. */
  async giveUp(scope: WorkScope, lease: Lease, reason: string): Promise<void> {
    const { database, tasks, documents } = this;
    await database
      .write(scope, async (tx) => {
        await tasks.fail(tx, lease, { reason, retryInMs: null });
        const retryOnScan = reason !== WORKER_DIED;
        const then = retryOnScan
          ? 'a scan tries again within some hours, or once the file changes'
          : 'each time the program ended; retry it when that is repaired';
        await documents.fail(tx, lease.subjectId, lease.generation, {
          status: 'ERROR',
          reason: `The document could not be worked on (${lease.stage}, ${reason}); ${then}.`,
          retryOnScan,
        });
      })
      .catch((error: unknown) => {
        // Another document failed the batch; this one was committed before.
        if (!(error instanceof LeaseLost)) throw error;
      });
  }

  /** Answers false when the document changed since the step began. */
  private async commit(
    scope: WorkScope,
    step: Step,
    lease: Lease,
    document: WorkingDocument,
    { patch, keep }: Done,
  ): Promise<boolean> {
    const { database, tasks, documents, garbageCollector } = this;
    const committing = database.write(scope, async (tx) => {
      await keep(tx);
      const replaced = await documents.advance(tx, document, step, patch);
      if (replaced === undefined) {
        await tasks.complete(tx, lease);
        return false;
      }
      await garbageCollector.replace(tx, patch.contentHash ?? document.contentHash, replaced);
      await tasks.pass(tx, lease, { stage: step.next.name, priority: priorityAfter(document.order, lease) });
      return true;
    });
    return committing.catch((error: unknown) => {
      if (error instanceof LeaseLost) return false;
      throw error;
    });
  }

  /** Schedules the collection of a result for a deleted or changed document: other documents may use it until then. */
  private async discardResult(
    scope: WorkScope,
    { contentHash }: WorkingDocument,
    { patch, objects }: Done,
  ): Promise<void> {
    const { database, garbageCollector } = this;
    await database.write(scope, (tx) => garbageCollector.collectLater(tx, patch.contentHash ?? contentHash, objects));
  }
}
