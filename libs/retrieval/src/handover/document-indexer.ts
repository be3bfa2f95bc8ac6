import { Injectable } from '@nestjs/common';
import { DocumentPrepared, revive } from '@acervo/contracts';
import { WorkSignals, type Lease, type LeaseKeeper } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { BucketKeeper } from '../buckets/bucket-keeper';
import type { Generation } from './chunk.store';
import { EmbeddingIndexProvisioner } from './embedding-index-provisioner';
import { GenerationLoader } from './generation-loader';
import { GenerationPublisher } from './generation-publisher';

/** Loads one hand-over into both legs, makes it live and publishes it. */
@Injectable()
export class DocumentIndexer {
  constructor(
    private readonly indexes: EmbeddingIndexProvisioner,
    private readonly loader: GenerationLoader,
    private readonly publisher: GenerationPublisher,
    private readonly buckets: BucketKeeper,
    private readonly workSignals: WorkSignals,
  ) {}

  /** @throws LeaseLost; ObjectMissing; EngineDown */
  async index(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<void> {
    const fact = revive(DocumentPrepared, lease.payload);
    const embeddingIndex = await this.indexes.indexFor(scope, fact);
    if (embeddingIndex === undefined) return this.publisher.discard(scope, lease);
    const generation: Generation = { documentId: fact.documentId, generation: fact.generation, embeddingIndex };
    const copied = await this.loader.load(scope, lease, generation, fact, keeper);
    const stages = await this.publisher.publish(scope, lease, { ...generation, copied }, fact);
    await this.buckets.grown(scope, embeddingIndex, fact.chunkCount);
    for (const stage of stages) await this.workSignals.notify(scope.groupId, stage);
  }
}
