import { type Database, isConnectionLost } from '@acervo/platform-database';
import { inTraceOf } from '@acervo/platform-observability';
import { retryOf, type Doorbells, type Lease, LeaseLost, type Tasks, WORKER_DIED } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { AttachmentStore } from '../attachments/attachment.store';
import type { Discards } from '../documents/discards';
import type { DocumentFacts } from '../documents/document.facts';
import type { EarlierVectorsStore } from '../embedding/earlier-vectors.store';
import type { VectorBacklog } from '../embedding/vector-backlog';
import { DocumentRefused } from '../files/refusal';
import { Batch } from './batch';
import { Bell } from './bell';
import { HeldLeases } from './held-leases';
import { priorityAfter } from './priority';
import { VECTORS } from './stages';
import type { Done, Step } from './steps';
import type { WorkingDocument, WorkStore } from './work.store';

export interface PipelineParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly documents: WorkStore;
  readonly facts: DocumentFacts;
  readonly attachments: AttachmentStore;
  readonly discards: Discards;
  readonly vectors: Pick<VectorBacklog, 'lacks'>;
  readonly earlier: EarlierVectorsStore;
}

/** What was handed over without vectors of the embedder in use gets them afterwards. */
const vectorsOf = ({ subjectId, generation }: Lease) => ({ subjectId, stage: VECTORS.name, generation });

/** One batch of one step while it is worked. */
interface Run {
  readonly scope: WorkScope;
  readonly step: Step;
  readonly held: HeldLeases;
  readonly bell: Bell;
  readonly found: Map<string, WorkingDocument>;
  readonly failures: unknown[];
}

/**
 * Works batches of a step: each document outside any transaction, its result, its lease and its next task in one
 * short one. What may pass by itself is thrown at the end of the batch and given back to be tried again.
 */
export class Pipeline {
  constructor(private readonly parts: PipelineParts) {}

  async work(scope: WorkScope, step: Step, leases: readonly Lease[]): Promise<void> {
    const { tasks, doorbells } = this.parts;
    const found = await this.find(scope, leases);
    const held = new HeldLeases(tasks, leases, step.stage.leaseSeconds);
    const bell = new Bell(() => doorbells.ring(scope.groupId, step.next.name));
    const run: Run = { scope, step, held, bell, found, failures: [] };
    const one = async (lease: Lease): Promise<void> => {
      await inTraceOf(lease, () => this.workOne(run, lease)).catch((error: unknown) =>
        this.failed(run, lease, leases.includes(lease), error),
      );
      held.done(lease);
    };
    try {
      await new Batch({ leases, atOnce: step.atOnce, one, another: () => this.another(run) }).run();
    } finally {
      await held.close();
    }
    await bell.end();
    if (run.failures.length > 0) throw run.failures[0];
  }

  /** Hands documents over to retrieval, with everything that it needs to know about them. */
  async handOver(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, facts, vectors } = this.parts;
    for (const lease of leases)
      await inTraceOf(lease, () =>
        database.write(scope, async (tx) => {
          await tasks.complete(tx, lease);
          const handed = await facts.handOver(tx, lease);
          if (handed !== undefined && vectors.lacks(handed)) await tasks.enqueue(tx, vectorsOf(lease));
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
      });
    await this.parts.doorbells.ring(scope.groupId, VECTORS.name);
  }

  /** Leaves a document that failed too often; the next scan tries it again, unless it ended whoever worked on it. */
  async giveUp(scope: WorkScope, lease: Lease, reason: string): Promise<void> {
    const { database, tasks, documents } = this.parts;
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
        // The batch failed for another document; this one was committed before.
        if (!(error instanceof LeaseLost)) throw error;
      });
  }

  private async workOne({ scope, step, held, bell, found }: Run, lease: Lease): Promise<void> {
    const document = found.get(lease.subjectId);
    if (document?.generation !== lease.generation || document.status !== step.from) return this.drop(scope, lease);
    try {
      const done = await step.work(scope, document, held.progress);
      if (!(await this.commit(scope, step, lease, document, done))) await this.abandon(scope, document, done);
    } catch (error) {
      if (!(error instanceof DocumentRefused)) throw error;
      return this.refuse(scope, lease, error);
    }
    await bell.done();
  }

  /** The runner gives back what it took itself, at the end of the batch. */
  private async failed({ scope, step, failures }: Run, lease: Lease, isOfRunner: boolean, error: unknown) {
    if (isConnectionLost(error)) throw error;
    if (error instanceof LeaseLost) return;
    failures.push(error);
    if (!isOfRunner) await this.giveBack(scope, step, lease, error);
  }

  private async another({ scope, step: { stage }, held, found }: Run): Promise<Lease | undefined> {
    const taken = await this.parts.tasks.claim(scope, stage.name, 1, stage.leaseSeconds, true);
    held.add(taken);
    for (const [id, document] of await this.find(scope, taken)) found.set(id, document);
    return taken[0];
  }

  private async find(scope: WorkScope, leases: readonly Lease[]): Promise<Map<string, WorkingDocument>> {
    const ids = leases.map(({ subjectId }) => subjectId);
    return new Map(ids.length === 0 ? [] : await this.parts.documents.find(scope, ids));
  }

  /** Gives back what was taken in the middle of a batch. */
  private async giveBack(scope: WorkScope, { stage }: Step, lease: Lease, error: unknown): Promise<void> {
    const { database, tasks } = this.parts;
    const reason = error instanceof Error ? error.name : 'Error';
    const { retryInMs, counts } = retryOf(error, lease.attempts);
    if (counts && lease.attempts >= stage.attempts) return this.giveUp(scope, lease, reason);
    await database
      .write(scope, (tx) => tasks.fail(tx, lease, { reason, retryInMs, counts }))
      .catch((lost: unknown) => {
        if (!(lost instanceof LeaseLost)) throw lost;
      });
  }

  /** Whether the document was still what it was when the step began. */
  private async commit(
    scope: WorkScope,
    step: Step,
    lease: Lease,
    document: WorkingDocument,
    { patch, keep }: Done,
  ): Promise<boolean> {
    const { database, tasks, documents, discards } = this.parts;
    const committing = database.write(scope, async (tx) => {
      await keep(tx);
      const replaced = await documents.advance(tx, document, step, patch);
      if (replaced === undefined) {
        await tasks.complete(tx, lease);
        return false;
      }
      await discards.replace(tx, patch.contentHash ?? document.contentHash, replaced);
      await tasks.pass(tx, lease, { stage: step.next.name, priority: priorityAfter(document.order, lease) });
      return true;
    });
    return committing.catch((error: unknown) => {
      if (error instanceof LeaseLost) return false;
      throw error;
    });
  }

  /** What was made for a document that was deleted, or changed, meanwhile: others may use it, or it goes. */
  private async abandon(scope: WorkScope, { contentHash }: WorkingDocument, { patch, objects }: Done): Promise<void> {
    const { database, discards } = this.parts;
    await database.write(scope, (tx) => discards.abandon(tx, patch.contentHash ?? contentHash, objects));
  }

  /** Work on what the document no longer is. */
  private drop(scope: WorkScope, lease: Lease): Promise<void> {
    return this.parts.database.write(scope, (tx) => this.parts.tasks.complete(tx, lease));
  }

  /** The new content gives nothing to search, so what was searchable of the old one goes. */
  private async refuse(scope: WorkScope, lease: Lease, { status, message, retryOnScan }: DocumentRefused) {
    const { database, tasks, documents, facts, attachments, earlier, discards } = this.parts;
    await database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      const refusal = { status, reason: message, retryOnScan };
      if (!(await documents.fail(tx, lease.subjectId, lease.generation, refusal))) return;
      if (retryOnScan) return;
      await facts.withdraw(tx, [lease.subjectId]);
      await attachments.miss(tx, [lease.subjectId]);
      await discards.replaceAll(tx, await earlier.forget(tx, [lease.subjectId]));
    });
  }
}
