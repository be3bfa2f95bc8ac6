import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { type Lease, LeaseLost, type NewTask, retryOf, type Stage, Tasks, WORKER_DIED } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ClassificationStore } from '../classification/classification.store';
import { ModelBacklog } from '../classification/model-backlog';
import { CorpusPages, SUSPENDED } from '../corpus/corpus-pages';
import { DocumentEvents } from '../document-state/document-events';
import { ObjectGarbageCollector } from '../document-state/object-garbage-collector';
import { VectorBacklog } from '../embedding/vector-backlog';
import { type DocumentOutput, leftOf, type Outcome } from './outcome';
import { priorityAfter } from '../kernel/priority';
import { ResultStore } from '../document-state/result.store';
import { CLASSIFY_AGAIN, VECTORS } from '../kernel/stages';
import { SummaryBacklog } from '../skills/summaries/summary-backlog';
import { WorkingDocumentStore } from '../document-state/working-document.store';

interface Written {
  /** What no document uses. */
  readonly unused: readonly DocumentOutput[];
  /** The stages of the tasks that follow. */
  readonly stages: ReadonlySet<string>;
}

/** What follows documents that are handed over. */
interface HandedOver {
  readonly tasks: readonly NewTask[];
  /** Further stages with tasks. */
  readonly stages: readonly string[];
}

/** The tasks of the stages that continue. */
const following = (outcomes: readonly Outcome[]): NewTask[] =>
  outcomes.flatMap(({ lease, output, nextStage, isSuspended = false }) => {
    if ((output === undefined && !isSuspended) || nextStage === null || nextStage === 'hand-over') return [];
    const { subjectId, generation, trace } = lease;
    const priority = output === undefined ? lease.priority : priorityAfter(output.document.order, lease);
    const task = { subjectId, generation, stage: nextStage.name, priority, trace: trace ?? undefined };
    return [isSuspended ? { ...task, ...SUSPENDED } : task];
  });

/** The stages with tasks that may begin now. */
const stagesOf = (tasks: readonly NewTask[]): string[] =>
  tasks.filter(({ delayMs = 0 }) => delayMs === 0).map(({ stage }) => stage);

/** Writes the outcomes of attempts: results, documents, leases and next tasks in one short transaction. */
@Injectable()
export class StepOutcomes {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documents: WorkingDocumentStore,
    private readonly results: ResultStore,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly documentEvents: DocumentEvents,
    private readonly vectors: VectorBacklog,
    private readonly summaries: SummaryBacklog,
    private readonly classifications: ClassificationStore,
    private readonly models: ModelBacklog,
    private readonly pages: CorpusPages,
    private readonly failpoints: Failpoints,
  ) {}

  /**
   * Commits outcomes of one group in one transaction; answers the stages that got tasks. The outcome of a document that
   * changed meanwhile only ends its lease, and that of a lost lease nothing: what they made is collected.
   */
  async commit(scope: WorkScope, outcomes: readonly Outcome[]): Promise<ReadonlySet<string>> {
    const { unused, stages } = await this.database.write(scope, async (tx) => {
      const written = await this.write(tx, outcomes);
      this.failpoints.hit('pipeline.before-commit');
      return written;
    });
    this.failpoints.hit('pipeline.committed');
    await this.discard(scope, unused);
    return stages;
  }

  /** Gives back a lease that was taken in the middle of a batch. */
  async giveBack(scope: WorkScope, stage: Stage, lease: Lease, error: unknown): Promise<void> {
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

  private async write(tx: Transaction, outcomes: readonly Outcome[]): Promise<Written> {
    const { tasks } = this;
    const leases = outcomes.map(({ lease }) => lease);
    const owned = new Set(await tasks.owned(tx, leases));
    const mine = outcomes.filter(({ lease }) => owned.has(lease));
    const current = await this.advance(
      tx,
      mine.flatMap(({ output }) => output ?? []),
    );
    const isDue = await this.classify(
      tx,
      mine.flatMap(({ output }) => output ?? []).filter(({ document }) => current.has(document.documentId)),
    );
    const isCurrent = ({ document }: DocumentOutput): boolean => current.has(document.documentId);
    const going = mine.filter(({ output }) => output === undefined || isCurrent(output));
    const handed = await this.handOver(tx, going);
    const next = [...following(going), ...handed.tasks];
    const suspended = going.flatMap(({ lease, isSuspended }) => (isSuspended === true ? [lease.subjectId] : []));
    await this.pages.suspend(tx, suspended);
    // Results, then documents, then tasks: scans lock in the same order.
    await tasks.completeAll(
      tx,
      mine.map(({ lease }) => lease),
    );
    await tasks.enqueueAll(tx, next);
    if (suspended.length > 0) await this.pages.noteFull(tx);
    return {
      unused: outcomes.flatMap(({ lease, output: each }) =>
        each === undefined || (owned.has(lease) && isCurrent(each)) ? [] : [each],
      ),
      stages: new Set([...stagesOf(next), ...handed.stages, ...(isDue ? [CLASSIFY_AGAIN.name] : [])]),
    };
  }

  /** Remembers results and advances documents; answers those that did not change meanwhile. */
  async advance(tx: Transaction, documents: readonly DocumentOutput[]): Promise<ReadonlySet<string>> {
    const outputs = documents.flatMap((each) => each.outputs);
    await this.results.keep(
      tx,
      outputs.flatMap(({ used }) => used ?? []),
    );
    for (const each of outputs) await each.keep?.(tx);
    const replaced = await this.documents.advance(tx, documents);
    await this.garbageCollector.replaceAll(
      tx,
      documents.map((each) => ({
        contentHash: leftOf(each).contentHash,
        objects: replaced.get(each.document.documentId) ?? [],
      })),
    );
    return new Set(replaced.keys());
  }

  /** Stores what current documents are; answers whether some are to be classified again. */
  private classify(tx: Transaction, documents: readonly DocumentOutput[]): Promise<boolean> {
    return this.classifications.keep(
      tx,
      documents.flatMap(({ document: { documentId }, outputs }) =>
        outputs.flatMap(({ classification }) => (classification === undefined ? [] : [{ documentId, classification }])),
      ),
    );
  }

  /** Hands the documents over that are ready; answers the tasks that give them vectors, and the stages of others. */
  private async handOver(tx: Transaction, outcomes: readonly Outcome[]): Promise<HandedOver> {
    const leases = outcomes.filter(({ nextStage }) => nextStage === 'hand-over').map(({ lease }) => lease);
    if (leases.length === 0) return { tasks: [], stages: [] };
    const handed = await this.documentEvents.handOver(tx, leases, await this.vectors.searchedNow(tx));
    const documentIds = handed.map(({ documentId }) => documentId);
    const stages = [...(await this.summaries.follow(tx, documentIds)), ...(await this.models.enqueue(tx, documentIds))];
    const lacking = new Set(handed.filter((each) => this.vectors.lacks(each)).map(({ documentId }) => documentId));
    const tasks = leases
      .filter(({ subjectId }) => lacking.has(subjectId))
      .map(({ subjectId, generation, priority, trace }) => ({
        ...{ subjectId, generation, priority },
        ...{ stage: VECTORS.name, trace: trace ?? undefined },
      }));
    return { tasks, stages };
  }

  /** Schedules the collection of results for deleted or changed documents: other documents may use them until then. */
  async discard(scope: WorkScope, unused: readonly DocumentOutput[]): Promise<void> {
    const { database, garbageCollector } = this;
    const left = unused.map(leftOf).filter(({ objects }) => objects.length > 0);
    if (left.length > 0) await database.write(scope, (tx) => garbageCollector.collectLater(tx, left));
  }
}
