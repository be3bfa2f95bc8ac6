import { Injectable } from '@nestjs/common';
import { isConnectionLost } from '@acervo/platform-database';
import { EngineDown } from '@acervo/contracts';
import { type LeaseKeeper, WorkSignals } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { BucketKeeper } from '../buckets/bucket-keeper';
import { ChunkCopies } from '../legs/opensearch/copies/chunk-copies';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { GenerationLoader, type Loading } from './generation-loader';
import { GenerationPublisher, type Loaded } from './generation-publisher';

/** Loads hand-overs into both legs, makes them live and publishes them. */
@Injectable()
export class DocumentIndexer {
  constructor(
    private readonly loader: GenerationLoader,
    private readonly copies: ChunkCopies,
    private readonly publisher: GenerationPublisher,
    private readonly buckets: BucketKeeper,
    private readonly workSignals: WorkSignals,
  ) {}

  /**
   * Indexes hand-overs of different documents together. If that fails, each is indexed on its own: no document fails for
   * another. Returns the errors of single ones.
   * @throws EngineDown; an error of the connection to the database
   */
  async index(
    scope: WorkScope,
    embeddingIndex: LiveEmbeddingIndex,
    all: readonly Loading[],
    keeper: LeaseKeeper,
  ): Promise<readonly unknown[]> {
    try {
      await this.indexTogether(scope, embeddingIndex, all, keeper);
      return [];
    } catch (error) {
      if (isConnectionLost(error) || error instanceof EngineDown) throw error;
      if (all.length <= 1) return [error];
      const errors: unknown[] = [];
      for (const each of all) errors.push(...(await this.index(scope, embeddingIndex, [each], keeper)));
      return errors;
    }
  }

  private async indexTogether(
    scope: WorkScope,
    embeddingIndex: LiveEmbeddingIndex,
    all: readonly Loading[],
    keeper: LeaseKeeper,
  ): Promise<void> {
    const loaded: Loaded[] = [];
    for (const each of await this.loader.load(scope, embeddingIndex, all, keeper)) {
      loaded.push({ ...each, copied: await this.copies.put(scope, each.fact, each.chunks) });
      await keeper.keep(each.lease);
    }
    const stages = await this.publisher.publish(scope, embeddingIndex, loaded);
    await this.buckets.grown(
      scope,
      embeddingIndex,
      loaded.reduce((sum, { fact }) => sum + fact.chunkCount, 0),
    );
    for (const stage of stages) await this.workSignals.notify(scope.groupId, stage);
  }
}
