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
import { On, onePerKey, originOf } from '@acervo/platform-messaging';
import { Tasks, URGENT } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { isSameModel } from '@acervo/models';
import { BUILD_STAGE, COPY_STAGE, FLIP_STAGE, INDEX_STAGE, PURGE_STAGE } from '../kernel/stages';
import { EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { ChunkCopies } from '../legs/opensearch/copies/chunk-copies';
import { ProjectionStore } from './projection.store';

type Live = Awaited<ReturnType<EmbeddingIndexStore['live']>>;

/** Stores the events of ingestion about documents: a row of the projection, a task, nothing else. */
@Injectable()
export class ProjectionConsumer {
  constructor(
    private readonly projection: ProjectionStore,
    private readonly tasks: Tasks,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly copies: ChunkCopies,
  ) {}

  @On(documentDescribed, { atOnce: 64 })
  describe(_scope: WorkScope, tx: Transaction, facts: readonly DocumentDescribed[]): Promise<void> {
    return this.take(tx, facts);
  }

  @On(documentPrepared, { atOnce: 64 })
  async plan(_scope: WorkScope, tx: Transaction, facts: readonly DocumentPrepared[]): Promise<void> {
    await this.take(tx, facts);
    const live = await this.embeddingIndexes.live(tx);
    for (const part of onePerKey(facts, ({ documentId }) => documentId)) await this.enqueue(tx, part, live);
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
   * Copies of chunks contain the visibility and the codes of their document: when either changes, they are written
   * again from the stored chunks.
   */
  private async take(tx: Transaction, facts: readonly DocumentDescribed[]): Promise<void> {
    const documents = [...new Set(facts.map(({ documentId }) => documentId))];
    const copiedColumns = () => this.projection.copiedColumns(tx, documents);
    const before = this.copies.isEnabled ? await copiedColumns() : new Map<string, string>();
    for (const part of onePerKey(facts, ({ documentId }) => documentId)) await this.projection.describeAll(tx, part);
    if (before.size === 0) return;
    const after = await copiedColumns();
    for (const [documentId, copied] of before)
      if (after.get(documentId) !== copied)
        await this.tasks.enqueue(tx, { subjectId: documentId, stage: COPY_STAGE.name, generation: 0 });
  }

  private async enqueue(tx: Transaction, facts: readonly DocumentPrepared[], live: Live): Promise<void> {
    const isSearched = ({ embedding: [model] }: DocumentPrepared): boolean =>
      live === undefined || (model !== undefined && isSameModel(live, model));
    // Only the latest vectors for another embedding index count: the embedder may have changed again.
    for (const fact of facts) if (!isSearched(fact)) await this.tasks.withdraw(tx, fact.documentId, BUILD_STAGE.name);
    await this.tasks.enqueueAll(
      tx,
      facts.map((fact) => ({
        ...{ subjectId: fact.documentId, stage: (isSearched(fact) ? INDEX_STAGE : BUILD_STAGE).name },
        ...{ generation: fact.generation, payload: encode(DocumentPrepared, fact) },
        ...{ priority: fact.urgent === true ? URGENT : 0, trace: originOf(fact).trace },
      })),
    );
  }
}
