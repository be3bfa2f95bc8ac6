import { Injectable } from '@nestjs/common';
import { documentIndexed, type DocumentPrepared } from '@acervo/contracts';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { type Lease, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ProjectionStore } from '../projection/projection.store';
import { EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { ChunkStore, type Generation } from './chunk.store';
import { COPY_STAGE, FLIP_STAGE, PURGE_STAGE, VECTORS_STAGE } from './stages';

/** How long after a document enters an index being built a flip checks whether it was the last one. */
const LOOK_AFTER_MS = 1_000;

/** A loaded generation with the revision of its copies; null without copies. */
export interface LoadedGeneration extends Generation {
  readonly copied: number | null;
}

/** Makes a loaded generation live. */
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
   * Publishes in one transaction: checks the lease, checks that no newer generation is known, makes the generation
   * live, appends the event. Returns the stages that have work now. @throws LeaseLost
   */
  async publish(
    scope: WorkScope,
    lease: Lease,
    generation: LoadedGeneration,
    fact: DocumentPrepared,
  ): Promise<readonly string[]> {
    const { database, tasks, projection, embeddingIndexes, chunks, outbox } = this;
    const { documentId, chunkCount } = fact;
    const indexed = { documentId, revision: fact.revision };
    const { indexId } = generation.embeddingIndex;
    return database.write(scope, async (tx) => {
      await tasks.completeAndDelete(tx, lease);
      const state = await embeddingIndexes.lockState(tx, indexId);
      const admitted = state !== 'RETIRED' && (await projection.admits(tx, documentId));
      const loaded = { chunkCount, hasVectors: fact.vectorsObject !== null, anew: fact.anew === true };
      const hasVectors = admitted ? await chunks.makeLive(tx, generation, loaded) : undefined;
      const leavesOthers = hasVectors === undefined || (await chunks.hasOthers(tx, generation));
      if (leavesOthers) await tasks.enqueue(tx, { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0 });
      // An event that arrived during the write of the copies found no live copies to write again.
      if (generation.copied !== null && generation.copied !== (await projection.revision(tx, documentId)))
        await tasks.enqueue(tx, { subjectId: documentId, stage: COPY_STAGE.name, generation: 0 });
      if (hasVectors !== undefined)
        await outbox.append(tx, documentIndexed, { ...indexed, generation: fact.generation, chunkCount, hasVectors });
      // Delayed a little, so that one flip serves all documents that arrive meanwhile.
      const look = { subjectId: scope.groupId, stage: FLIP_STAGE.name, generation: indexId, delayMs: LOOK_AFTER_MS };
      if (state === 'BUILDING') await tasks.enqueue(tx, look);
      // Vectors that came during the load wait for its end.
      const hastensVectors = hasVectors === false && (await tasks.hasten(tx, documentId, VECTORS_STAGE.name));
      return [...(leavesOthers ? [PURGE_STAGE.name] : []), ...(hastensVectors ? [VECTORS_STAGE.name] : [])];
    });
  }

  /** Completes a hand-over whose index is no longer searched. @throws LeaseLost */
  discard(scope: WorkScope, lease: Lease): Promise<void> {
    return this.database.write(scope, (tx) => this.tasks.completeAndDelete(tx, lease));
  }
}
