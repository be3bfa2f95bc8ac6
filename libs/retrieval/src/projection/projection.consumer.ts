import { Injectable } from '@nestjs/common';
import {
  documentDescribed,
  DocumentDescribed,
  documentPrepared,
  DocumentPrepared,
  documentWithdrawn,
  DocumentWithdrawn,
  encode,
} from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import { Tasks, URGENT } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { isSameModel } from '@acervo/models';
import { BUILD_STAGE, COPY_STAGE, FLIP_STAGE, INDEX_STAGE, PURGE_STAGE } from '../handover/stages';
import { EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { ChunkCopies } from '../copies/chunk-copies';
import { ProjectionStore } from './projection.store';

/** Stores the events of ingestion about documents: a row of the projection, a task, nothing else. */
@Injectable()
export class ProjectionConsumer {
  constructor(
    private readonly projection: ProjectionStore,
    private readonly tasks: Tasks,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly copies: ChunkCopies,
  ) {}

  @On(documentDescribed)
  async describe(_scope: WorkScope, tx: Transaction, fact: DocumentDescribed): Promise<void> {
    await this.take(tx, fact);
  }

  @On(documentPrepared)
  async plan(_scope: WorkScope, tx: Transaction, fact: DocumentPrepared): Promise<void> {
    await this.take(tx, fact);
    const stage = (await this.isSearched(tx, fact)) ? INDEX_STAGE : BUILD_STAGE;
    // Only the latest vectors for another embedding index count: the embedder may have changed again.
    if (stage === BUILD_STAGE) await this.tasks.withdraw(tx, fact.documentId, BUILD_STAGE.name);
    await this.tasks.enqueue(tx, {
      subjectId: fact.documentId,
      stage: stage.name,
      generation: fact.generation,
      payload: encode(DocumentPrepared, fact),
      priority: fact.urgent === true ? URGENT : 0,
    });
  }

  @On(documentWithdrawn)
  async withdraw(_scope: WorkScope, tx: Transaction, { documentId, revision }: DocumentWithdrawn): Promise<void> {
    if (!(await this.projection.withdraw(tx, documentId, revision))) return;
    await this.tasks.withdraw(tx, documentId);
    await this.tasks.enqueue(tx, { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0 });
    // The document may have been the last one that a new embedding index was waiting for.
    for (const { indexId } of await this.embeddingIndexes.building(tx))
      await this.tasks.enqueue(tx, { subjectId: tx.groupId ?? '', stage: FLIP_STAGE.name, generation: indexId });
  }

  /**
   * Copies of chunks contain the visibility of their document: after a move they are written again from the stored
   * chunks.
   */
  private async take(tx: Transaction, fact: DocumentDescribed): Promise<void> {
    const before = this.copies.isEnabled ? await this.projection.placeOf(tx, fact.documentId) : undefined;
    await this.projection.describe(tx, fact);
    if (before === undefined || before === (await this.projection.placeOf(tx, fact.documentId))) return;
    await this.tasks.enqueue(tx, { subjectId: fact.documentId, stage: COPY_STAGE.name, generation: 0 });
  }

  private async isSearched(tx: Transaction, { embedding: [model] }: DocumentPrepared): Promise<boolean> {
    const live = await this.embeddingIndexes.live(tx);
    return live === undefined || (model !== undefined && isSameModel(live, model));
  }
}
