import { Injectable } from '@nestjs/common';
import { DocumentPrepared, EngineDown, revive } from '@acervo/contracts';
import { isConnectionLost } from '@acervo/platform-database';
import { ObjectMissing } from '@acervo/platform-object-store';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, LeaseLost, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { DocumentIndexer } from './document-indexer';
import { EmbeddingIndexProvisioner } from './embedding-index-provisioner';
import type { Loading } from './generation-loader';
import { GenerationPublisher } from './generation-publisher';
import { IndexingFailures } from './indexing-failures';
import { PreparedReader } from './prepared-reader';
import { BUILD_STAGE, INDEX_STAGE } from '../kernel/stages';

/** Hand-overs of different documents for one embedding index. */
interface Together {
  readonly embeddingIndex: LiveEmbeddingIndex;
  readonly all: readonly Loading[];
}

/** Hand-overs of one batch by embedding index; a second one of a document goes into a set of its own. */
class Sets {
  private readonly sets: { readonly embeddingIndex: LiveEmbeddingIndex; readonly all: Map<string, Loading> }[] = [];

  add(embeddingIndex: LiveEmbeddingIndex, loading: Loading): void {
    const { documentId } = loading.fact;
    const found = this.sets.find(
      (set) => set.embeddingIndex.indexId === embeddingIndex.indexId && !set.all.has(documentId),
    );
    if (found === undefined) this.sets.push({ embeddingIndex, all: new Map([[documentId, loading]]) });
    else found.all.set(documentId, loading);
  }

  get together(): readonly Together[] {
    return this.sets.map(({ embeddingIndex, all }) => ({ embeddingIndex, all: [...all.values()] }));
  }
}

/** Undefined where the index of a hand-over is no longer searched. */
type IndexOf = (fact: DocumentPrepared) => Promise<LiveEmbeddingIndex | undefined>;

/** Indexes batches of hand-overs. One that cannot be read or loaded does not affect its batch. */
@Injectable()
export class IndexStage {
  constructor(
    private readonly tasks: Tasks,
    private readonly indexes: EmbeddingIndexProvisioner,
    private readonly prepared: PreparedReader,
    private readonly indexer: DocumentIndexer,
    private readonly publisher: GenerationPublisher,
    private readonly failures: IndexingFailures,
  ) {}

  @RunsStage(INDEX_STAGE)
  index(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.work(scope, leases);
  }

  @RunsStage(BUILD_STAGE)
  build(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.work(scope, leases);
  }

  /** No later attempt retries the hand-over. */
  exhausted(scope: WorkScope, lease: Lease, cause: string): Promise<void> {
    return this.failures.exhausted(scope, lease, cause);
  }

  private async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const keeper = new LeaseKeeper(this.tasks, leases, INDEX_STAGE.leaseSeconds);
    const errors: unknown[] = [];
    const sets = new Sets();
    const indexOf = this.indexLookup(scope);
    for (const lease of leases)
      await inTraceOf(lease, () => this.read(scope, lease, sets, indexOf)).catch((error: unknown) => {
        if (isConnectionLost(error) || error instanceof EngineDown) throw error;
        // Withdrawn, or leased by another worker: nothing failed, and no work is left.
        if (!(error instanceof LeaseLost)) errors.push(error);
      });
    for (const { embeddingIndex, all } of sets.together)
      errors.push(...(await this.indexer.index(scope, embeddingIndex, all, keeper)));
    // The rest of the batch is committed and stays.
    if (errors.length > 0) throw errors[0];
  }

  /** Looks the embedding index of a model up once a batch. */
  private indexLookup(scope: WorkScope): IndexOf {
    const found = new Map<string, ReturnType<IndexOf>>();
    return ({ embedding: [model] }) => {
      if (model === undefined) throw new Error('A hand-over names no embedding index.');
      const key = JSON.stringify([model.model, model.revision]);
      const index = found.get(key) ?? this.indexes.indexFor(scope, model);
      found.set(key, index);
      return index;
    };
  }

  private async read(scope: WorkScope, lease: Lease, sets: Sets, indexOf: IndexOf): Promise<void> {
    const fact = revive(DocumentPrepared, lease.payload);
    const embeddingIndex = await indexOf(fact);
    if (embeddingIndex === undefined) return this.publisher.discard(scope, [lease]);
    try {
      sets.add(embeddingIndex, {
        lease,
        fact,
        chunks: await this.prepared.read(scope, fact, embeddingIndex.dimension),
      });
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
      await this.failures.missing(scope, lease);
    }
  }
}
