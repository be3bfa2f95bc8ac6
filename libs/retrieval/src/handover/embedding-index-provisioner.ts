import { Injectable } from '@nestjs/common';
import { embeddingIndexLive, type EmbeddingModelKey } from '@acervo/contracts';
import { Embedders, isSameModel } from '@acervo/models';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { BucketKeeper } from '../buckets/bucket-keeper';
import { ChunkCopies } from '../legs/opensearch/copies/chunk-copies';
import { type LiveEmbeddingIndex, EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';

const keyOf = ({ model, revision, dimension, floor }: EmbeddingModelKey): EmbeddingModelKey => ({
  model,
  revision,
  dimension,
  floor,
});

/** Finds the embedding index of a model; creates it with its partitions on first use. */
@Injectable()
export class EmbeddingIndexProvisioner {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly outbox: Outbox,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly buckets: BucketKeeper,
    private readonly copies: ChunkCopies,
    private readonly embedders: Embedders,
  ) {}

  /** Undefined when the index is no longer searched: a later hand-over brings other vectors. */
  async indexFor(scope: WorkScope, model: EmbeddingModelKey): Promise<LiveEmbeddingIndex | undefined> {
    const { database, outbox, embeddingIndexes, embedders } = this;
    // Precedes any search of the index: without its partitions a search would report both legs as down.
    await this.buckets.prepare(scope, model.dimension);
    await this.copies.prepare(scope);
    const existing = await database.read(scope, (tx) => embeddingIndexes.find(tx, model));
    if (existing !== undefined && existing.state !== 'RETIRED') return existing.embeddingIndex;
    const { embeddingIndex, state } = await database.write(scope, async (tx) => {
      const ensured = await embeddingIndexes.ensure(tx, model, isSameModel(model, embedders.target.embeddingModel));
      if (ensured.becameLive) await outbox.append(tx, embeddingIndexLive, keyOf(model));
      return ensured;
    });
    return state === 'RETIRED' ? undefined : embeddingIndex;
  }
}
