import { Injectable } from '@nestjs/common';
import { Embedders } from '@acervo/models';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { isUrgent, type Lease, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { DocumentEvents } from '../document-state/document-events';
import { ObjectGarbageCollector } from '../document-state/object-garbage-collector';
import type { WorkingDocument } from '../document-state/working-document.store';
import { type DocumentVectors, Vectoriser } from './vectoriser';

/** The end of the work on one lease. */
export interface VectorOutcome {
  readonly lease: Lease;
  /** Absent where there is nothing to hand over. */
  readonly vectors?: DocumentVectors;
}

const NO_STAGES: ReadonlySet<string> = new Set();

/** Embeds documents with the embedder in use, and hands their vectors over in the transaction that ends their tasks. */
@Injectable()
export class VectorHandover {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documentEvents: DocumentEvents,
    private readonly vectoriser: Vectoriser,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly embedders: Embedders,
    private readonly failpoints: Failpoints,
  ) {}

  /** Looks up what is remembered of the documents of a batch. */
  expect(scope: WorkScope, documents: readonly WorkingDocument[]): void {
    const { embedders, vectoriser } = this;
    if (!embedders.targetRuns) return;
    const chunked = documents.filter(({ chunksObject }) => chunksObject !== null);
    vectoriser.expect(scope, chunked, embedders.target.embeddingModel);
  }

  /** @throws EmbedderFailure */
  async make(
    scope: WorkScope,
    lease: Lease,
    document: WorkingDocument | undefined,
    progress: () => void,
  ): Promise<VectorOutcome> {
    const { embedders, vectoriser } = this;
    const current = document?.generation === lease.generation && document.chunksObject !== null;
    // A later start enqueues the document again when the embedder is available.
    if (!current || !embedders.targetRuns) return { lease };
    return {
      lease,
      vectors: await vectoriser.vectors(scope, document, embedders.target.embeddingModel, progress),
    };
  }

  /** Hands vectors over, those of lost leases excepted: they are collected. */
  async commit(scope: WorkScope, outcomes: readonly VectorOutcome[]): Promise<ReadonlySet<string>> {
    const { database, garbageCollector, failpoints } = this;
    const lost = await database.write(scope, async (tx) => {
      const written = await this.write(tx, outcomes);
      failpoints.hit('pipeline.before-commit');
      return written;
    });
    failpoints.hit('pipeline.committed');
    const left = lost.flatMap(({ vectors }) =>
      vectors === undefined ? [] : [{ contentHash: vectors.document.contentHash, objects: vectors.objects }],
    );
    if (left.length > 0) await database.write(scope, (tx) => garbageCollector.collectLater(tx, left));
    return NO_STAGES;
  }

  /** Answers the outcomes whose lease is lost. */
  private async write(tx: Transaction, outcomes: readonly VectorOutcome[]): Promise<readonly VectorOutcome[]> {
    const { tasks, documentEvents, vectoriser } = this;
    const owned = new Set(
      await tasks.owned(
        tx,
        outcomes.map(({ lease }) => lease),
      ),
    );
    const mine = outcomes.filter(({ lease }) => owned.has(lease));
    const made = mine.flatMap(({ lease, vectors }) => (vectors === undefined ? [] : [{ lease, vectors }]));
    // Results, then documents, then tasks: scans lock in the same order.
    await vectoriser.keep(
      tx,
      made.map(({ vectors }) => vectors),
    );
    await documentEvents.handOverVectors(
      tx,
      made.map(({ lease, vectors: { document, value } }) => ({
        ...{ document, vectors: value },
        ...{ urgent: isUrgent(lease), trace: lease.trace },
      })),
    );
    await tasks.completeAll(
      tx,
      mine.map(({ lease }) => lease),
    );
    return outcomes.filter(({ lease }) => !owned.has(lease));
  }
}
