import { Injectable } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ChunkCopies } from '../legs/opensearch/copies/chunk-copies';
import { EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { ChunkStore } from './chunk.store';
import { PURGE_STAGE } from '../kernel/stages';

const SLICE = 64;

/** A purge was requested while the task ended: it continues. */
class NotYet extends Error {}

/** Removes chunks that are no longer live: earlier generations, and withdrawn documents. */
@Injectable()
export class PurgeStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly chunks: ChunkStore,
    private readonly copies: ChunkCopies,
    private readonly embeddingIndexes: EmbeddingIndexStore,
  ) {}

  @RunsStage(PURGE_STAGE)
  async purge(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases)
      do {
        await this.tombstone(scope, lease);
        while ((await this.slice(scope, lease)) > 0);
      } while (!(await this.end(scope, lease)));
  }

  /** Copies go first: the chunks are the only record of which copies exist. */
  private async tombstone(scope: WorkScope, { subjectId }: Lease): Promise<void> {
    const { database, chunks, copies } = this;
    if (copies.isEnabled)
      await copies.tombstone(scope, await database.read(scope, (tx) => chunks.vanishing(tx, subjectId)));
  }

  private slice(scope: WorkScope, { subjectId }: Lease): Promise<number> {
    const { database, chunks, embeddingIndexes } = this;
    return database.write(scope, async (tx) =>
      chunks.purge(tx, subjectId, await embeddingIndexes.dimensions(tx), SLICE),
    );
  }

  /**
   * Completes the task first and checks once more. A request since the last slice found this task open and enqueued
   * none, so this run continues with it. A later request enqueues a new task.
   */
  private end(scope: WorkScope, lease: Lease): Promise<boolean> {
    const { database, tasks, chunks, embeddingIndexes } = this;
    const ended = database.write(scope, async (tx) => {
      await tasks.completeAndDelete(tx, lease);
      if ((await chunks.purge(tx, lease.subjectId, await embeddingIndexes.dimensions(tx), 1)) > 0) throw new NotYet();
    });
    return ended.then(
      () => true,
      (error: unknown) => {
        if (error instanceof NotYet) return false;
        throw error;
      },
    );
  }
}
