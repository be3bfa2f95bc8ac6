import { Injectable } from '@nestjs/common';
import type { DocumentPrepared } from '@acervo/contracts';
import { BackgroundDatabase, SliceSize } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { type Lease, type LeaseKeeper, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { ChunkStore, type LoadedChunk } from './chunk.store';
import { loadInSlices, type SlicePart } from './slices';

/** Chunks per transaction: where all requests share one session, they wait for one such transaction at most. */
const CHUNKS = { least: 8, most: 64, wanted: 4 };

/** A hand-over as it was read. */
export interface Loading {
  readonly lease: Lease;
  readonly fact: DocumentPrepared;
  readonly chunks: readonly LoadedChunk[];
}

type Part = SlicePart<Loading>;

/** Writes generations into both legs in small transactions, without making them live. */
@Injectable()
export class GenerationLoader {
  private readonly size: SliceSize;

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly chunks: ChunkStore,
    private readonly failpoints: Failpoints,
  ) {
    this.size = new SliceSize(database, CHUNKS);
  }

  /**
   * Loads hand-overs one after the other; a transaction takes as many chunks as fit. Returns those whose lease was held
   * to the end.
   */
  async load(
    scope: WorkScope,
    embeddingIndex: LiveEmbeddingIndex,
    all: readonly Loading[],
    keeper: LeaseKeeper,
  ): Promise<readonly Loading[]> {
    return loadInSlices(all, {
      ...{ keeper, size: this.size, failpoints: this.failpoints },
      countOf: ({ chunks }) => chunks.length,
      write: (parts) => this.write(scope, embeddingIndex, parts),
    });
  }

  /** Writes one slice; returns the hand-overs whose lease is lost. */
  private write(
    scope: WorkScope,
    embeddingIndex: LiveEmbeddingIndex,
    parts: readonly Part[],
  ): Promise<readonly Loading[]> {
    const { database, tasks, chunks } = this;
    return database.write(scope, async (tx) => {
      const leases = parts.map(({ of }) => of.lease);
      const locked = new Set(await tasks.lockLeases(tx, leases));
      const written = parts.filter(({ of }) => locked.has(of.lease));
      for (const { of, from, to } of written)
        // The last slice clears the rest: no earlier chunk survives a load that replaces all chunks.
        if (of.fact.anew === true)
          await chunks.clear(tx, { ...of.fact, embeddingIndex }, from, to < of.chunks.length ? to : null);
      await chunks.load(
        tx,
        embeddingIndex,
        written.map(({ of, from, to }) => ({ ...of.fact, chunks: of.chunks.slice(from, to) })),
      );
      return parts.flatMap(({ of }) => (locked.has(of.lease) ? [] : [of]));
    });
  }
}
