import { Injectable } from '@nestjs/common';
import { type DocumentEmbedded, documentIndexed } from '@acervo/contracts';
import { BackgroundDatabase, SliceSize, type Transaction } from '@acervo/platform-database';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { type Lease, type LeaseKeeper, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { EmbeddingIndexStore, type LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { ChunkStore, type LoadedVector } from './chunk.store';
import { loadInSlices, type SlicePart } from './slices';
import { flipTask } from '../kernel/stages';

/** Vectors per transaction: where all requests share one session, they wait for one such transaction at most. */
const VECTORS = { least: 16, most: 64, wanted: 4 };

/** The vectors of one task. */
export interface LoadingVectors {
  readonly lease: Lease;
  readonly fact: DocumentEmbedded;
  readonly vectors: readonly LoadedVector[];
}

type Part = SlicePart<LoadingVectors>;

const isLast = ({ of, to }: Part): boolean => to === of.vectors.length;
const leasesOf = (parts: readonly Part[]): Lease[] => parts.map(({ of }) => of.lease);
const factsOf = (parts: readonly Part[]): DocumentEmbedded[] => parts.map(({ of }) => of.fact);

/** Loads the vectors of generations whose words are live. It writes the tables of vectors alone. */
@Injectable()
export class VectorsLoader {
  private readonly size: SliceSize;

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly outbox: Outbox,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly chunks: ChunkStore,
    private readonly failpoints: Failpoints,
  ) {
    this.size = new SliceSize(database, VECTORS);
  }

  /**
   * Loads the vectors of different documents one after the other; a transaction takes as many vectors as fit, and ends
   * the tasks whose last vectors it writes.
   */
  async load(
    scope: WorkScope,
    embeddingIndex: LiveEmbeddingIndex,
    all: readonly LoadingVectors[],
    keeper: LeaseKeeper,
  ): Promise<void> {
    await loadInSlices(all, {
      ...{ keeper, size: this.size, failpoints: this.failpoints },
      countOf: ({ vectors }) => vectors.length,
      write: (parts) => this.database.write(scope, (tx) => this.write(tx, embeddingIndex, parts)),
    });
  }

  /** Writes one slice; answers the documents whose lease is lost, or whose generation is not live any longer. */
  private async write(
    tx: Transaction,
    embeddingIndex: LiveEmbeddingIndex,
    parts: readonly Part[],
  ): Promise<readonly LoadingVectors[]> {
    const { tasks, embeddingIndexes, chunks } = this;
    const unfinished = parts.filter((part) => !isLast(part));
    const owned = new Set([
      ...(await tasks.completeAndDeleteAll(tx, leasesOf(parts.filter(isLast)))),
      ...(await tasks.lockLeases(tx, leasesOf(unfinished))),
    ]);
    const mine = parts.filter(({ of }) => owned.has(of.lease));
    const state = await embeddingIndexes.lockState(tx, embeddingIndex.indexId);
    const live = new Set(state === 'RETIRED' ? [] : await chunks.lockLive(tx, embeddingIndex, factsOf(mine)));
    const written = new Set(mine.filter(({ of }) => live.has(of.fact)));
    await chunks.loadVectors(
      tx,
      embeddingIndex,
      [...written].flatMap(({ of: { fact, vectors }, from, to }) =>
        vectors
          .slice(from, to)
          .map((vector) => ({ documentId: fact.documentId, generation: fact.generation, ...vector })),
      ),
    );
    await this.complete(tx, embeddingIndex, [...written].filter(isLast));
    if (state === 'BUILDING' && [...written].some(isLast))
      // The document may have been the last one that the new embedding index was waiting for.
      await tasks.enqueue(tx, flipTask(tx.groupId ?? '', embeddingIndex.indexId));
    await tasks.completeAndDeleteAll(
      tx,
      leasesOf(unfinished.filter((part) => mine.includes(part) && !written.has(part))),
    );
    return parts.flatMap((part) => (written.has(part) ? [] : [part.of]));
  }

  private async complete(tx: Transaction, embeddingIndex: LiveEmbeddingIndex, parts: readonly Part[]): Promise<void> {
    await this.chunks.completeVectors(tx, embeddingIndex, factsOf(parts));
    const facts = parts.map(({ of: { lease, fact } }) => {
      const { documentId, revision, generation, chunkCount } = fact;
      return { payload: { documentId, revision, generation, chunkCount, hasVectors: true }, trace: lease.trace };
    });
    await this.outbox.appendAll(tx, documentIndexed, facts);
  }
}
