import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DocumentPrepared } from '@acervo/contracts';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { type Lease, type LeaseKeeper, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ChunkCopies } from '../copies/chunk-copies';
import { ChunkStore, type Generation } from './chunk.store';
import { PreparedReader } from './prepared-reader';

/** Chunks per transaction: where all requests share one session, they wait for one such transaction at most. */
const SLICE = 8;
/** The same while requests are being answered. */
const SMALL_SLICE = 2;

/** Writes a generation into both legs in small transactions, without making it live. */
@Injectable()
export class GenerationLoader {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly chunks: ChunkStore,
    private readonly copies: ChunkCopies,
    private readonly prepared: PreparedReader,
    private readonly failpoints: Failpoints,
  ) {}

  /** Returns the revision of the copies; null without copies. @throws LeaseLost; ObjectMissing; EngineDown */
  async load(
    scope: WorkScope,
    lease: Lease,
    generation: Generation,
    fact: DocumentPrepared,
    keeper: LeaseKeeper,
  ): Promise<number | null> {
    const { database, tasks, chunks, copies, prepared, failpoints } = this;
    const all = await prepared.read(scope, fact, generation.embeddingIndex.dimension);
    for (let from = 0; from < all.length;) {
      const started = performance.now();
      const to = from + (database.isWanted ? SMALL_SLICE : SLICE);
      await database.write(scope, async (tx) => {
        await tasks.lockLease(tx, lease);
        // The last slice clears the rest: no earlier chunk survives a load that replaces all chunks.
        if (fact.anew === true) await chunks.clear(tx, generation, from, to < all.length ? to : null);
        await chunks.load(tx, generation, all.slice(from, to));
      });
      from = to;
      failpoints.hit('handover.middle');
      await keeper.keep(lease);
      // Pauses as long as the slice took, so that requests get at least every second turn of a shared session.
      if (database.isWanted) await pause(Math.min(100, performance.now() - started));
    }
    return copies.put(scope, generation, all);
  }
}
