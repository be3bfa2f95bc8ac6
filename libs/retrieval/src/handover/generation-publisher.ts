import { Injectable } from '@nestjs/common';
import { documentIndexed } from '@acervo/contracts';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { type Lease, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { EmbeddingIndexStore, type LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { ProjectionStore } from '../projection/projection.store';
import { ChunkStore } from './chunk.store';
import type { Loading } from './generation-loader';
import { COPY_STAGE, flipTask, PURGE_STAGE, VECTORS_STAGE } from '../kernel/stages';

/** A loaded hand-over with the revision of its copies; null without copies. */
export interface Loaded extends Loading {
  readonly copied: number | null;
}

/** Makes loaded generations live. */
@Injectable()
export class GenerationPublisher {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly outbox: Outbox,
    private readonly projection: ProjectionStore,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly chunks: ChunkStore,
  ) {}

  /**
   * Publishes in one transaction: checks the leases, checks that no newer generations are known, makes the generations
   * live, appends the events. A document occurs once. Hand-overs whose lease is lost are left to their next worker.
   * Returns the stages that have work now.
   */
  publish(scope: WorkScope, embeddingIndex: LiveEmbeddingIndex, all: readonly Loaded[]): Promise<readonly string[]> {
    const { database, tasks, chunks, embeddingIndexes } = this;
    return database.write(scope, async (tx) => {
      const completed = new Set(
        await tasks.completeAndDeleteAll(
          tx,
          all.map(({ lease }) => lease),
        ),
      );
      const loaded = all.filter(({ lease }) => completed.has(lease));
      const state = await embeddingIndexes.lockState(tx, embeddingIndex.indexId);
      const admitted = state === 'RETIRED' ? new Set<string>() : await this.admitted(tx, loaded);
      const live = await chunks.makeLive(
        tx,
        embeddingIndex,
        loaded.filter(({ fact }) => admitted.has(fact.documentId)),
      );
      await this.append(tx, loaded, live);
      if (state === 'BUILDING') await tasks.enqueue(tx, flipTask(scope.groupId, embeddingIndex.indexId));
      await this.copyAgain(tx, loaded);
      const [purges, hastened] = [await this.purge(tx, embeddingIndex, loaded, live), await this.hasten(tx, live)];
      return [...(purges ? [PURGE_STAGE.name] : []), ...(hastened ? [VECTORS_STAGE.name] : [])];
    });
  }

  /** Completes hand-overs whose index is no longer searched. */
  async discard(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    await this.database.write(scope, (tx) => this.tasks.completeAndDeleteAll(tx, leases));
  }

  private admitted(tx: Transaction, loaded: readonly Loaded[]): Promise<ReadonlySet<string>> {
    return this.projection.admitted(
      tx,
      loaded.map(({ fact }) => fact.documentId),
    );
  }

  private append(tx: Transaction, loaded: readonly Loaded[], live: ReadonlyMap<string, boolean>): Promise<void> {
    const facts = loaded.flatMap(({ lease: { trace }, fact }) => {
      const { documentId, revision, generation, chunkCount } = fact;
      const hasVectors = live.get(documentId);
      if (hasVectors === undefined) return [];
      return [{ payload: { documentId, revision, generation, chunkCount, hasVectors }, trace }];
    });
    return this.outbox.appendAll(tx, documentIndexed, facts);
  }

  /** Chunks remain where a generation did not become live, or is not the only one. */
  private async purge(
    tx: Transaction,
    embeddingIndex: LiveEmbeddingIndex,
    loaded: readonly Loaded[],
    live: ReadonlyMap<string, boolean>,
  ): Promise<boolean> {
    const others = await this.chunks.withOthers(
      tx,
      embeddingIndex,
      loaded.map(({ fact }) => fact),
    );
    const ids = loaded.map(({ fact }) => fact.documentId).filter((id) => !live.has(id) || others.has(id));
    const tasks = ids.map((subjectId) => ({ subjectId, stage: PURGE_STAGE.name, generation: 0 }));
    await this.tasks.enqueueAll(tx, tasks);
    return tasks.length > 0;
  }

  /** An event that arrived during the write of the copies found no live copies to write again. */
  private async copyAgain(tx: Transaction, loaded: readonly Loaded[]): Promise<void> {
    const copied = loaded.filter(({ copied: revision }) => revision !== null);
    if (copied.length === 0) return;
    const revisions = await this.projection.revisions(
      tx,
      copied.map(({ fact }) => fact.documentId),
    );
    const changed = copied.filter(({ fact, copied: revision }) => revision !== revisions.get(fact.documentId));
    const tasks = changed.map(({ fact }) => ({ subjectId: fact.documentId, stage: COPY_STAGE.name, generation: 0 }));
    await this.tasks.enqueueAll(tx, tasks);
  }

  /** Vectors that came during the load wait for its end. */
  private async hasten(tx: Transaction, live: ReadonlyMap<string, boolean>): Promise<boolean> {
    const waiting = [...live].flatMap(([documentId, hasVectors]) => (hasVectors ? [] : [documentId]));
    return waiting.length > 0 && (await this.tasks.hasten(tx, waiting, VECTORS_STAGE.name));
  }
}
