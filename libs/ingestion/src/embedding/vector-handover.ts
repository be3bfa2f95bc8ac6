import { Injectable } from '@nestjs/common';
import { Embedders } from '@acervo/models';
import { BackgroundDatabase } from '@acervo/platform-database';
import { isUrgent, type Lease, LeaseLost, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ObjectGarbageCollector } from '../documents/object-garbage-collector';
import { DocumentEvents } from '../documents/document-events';
import type { WorkingDocument } from '../pipeline/working-document.store';
import { Vectoriser } from './vectoriser';

/** Embeds one document with the embedder in use, and hands the vectors over in the transaction that ends its task. */
@Injectable()
export class VectorHandover {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documentEvents: DocumentEvents,
    private readonly vectoriser: Vectoriser,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly embedders: Embedders,
  ) {}

  /** @throws LeaseLost, EmbedderFailure */
  async handOver(
    scope: WorkScope,
    lease: Lease,
    document: WorkingDocument | undefined,
    progress: () => void,
  ): Promise<void> {
    const { database, tasks, documentEvents, vectoriser, embedders, garbageCollector } = this;
    const current = document?.generation === lease.generation && document.chunksObject !== null;
    // A later start enqueues the document again when the embedder is available.
    if (!current || !embedders.targetRuns) return database.write(scope, (tx) => tasks.complete(tx, lease));
    const { value, objects, keep } = await vectoriser.vectors(
      scope,
      document,
      embedders.target.embeddingModel,
      progress,
    );
    const committing = database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await keep(tx);
      await documentEvents.handOverVectors(tx, document, value, isUrgent(lease));
    });
    await committing.catch(async (error: unknown) => {
      if (error instanceof LeaseLost)
        await database.write(scope, (tx) => garbageCollector.collectLater(tx, document.contentHash, objects));
      throw error;
    });
  }
}
