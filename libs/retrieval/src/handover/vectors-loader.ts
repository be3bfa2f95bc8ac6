import { Injectable } from '@nestjs/common';
import { DocumentEmbedded, documentIndexed, revive } from '@acervo/contracts';
import { BackgroundDatabase, SliceSize, type Transaction } from '@acervo/platform-database';
import { Failpoints, Outbox } from '@acervo/platform-messaging';
import { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, type LeaseKeeper, Tasks } from '@acervo/platform-queue';
import { exponential } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';
import { EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import { ChunkStore, type Generation, type LoadedVector } from './chunk.store';
import { vectorsIn } from './prepared-reader';
import { flipTask, INDEX_STAGE } from './stages';
import { work } from './work-sql';

/** Vectors per transaction: where all requests share one session, they wait for one such transaction at most. */
const VECTORS = { least: 16, most: 64, wanted: 4 };
/** How long vectors wait for the words of their generation, unless they are hastened. */
const WORDS_MS = 2_000;
/** The hand-over of the words may arrive later, by another topic. So often its vectors wait, each time twice as long. */
const MOST_WAITS = 6;

/** A later generation is live, or the document was withdrawn after its vectors were made. */
const IS_OBSOLETE = `select exists (select from retrieval.live where group_id = $1 and document_id = $2 and generation > $3)
  or exists (select from retrieval.document where group_id = $1 and document_id = $2 and withdrawn and revision > $4)
  as obsolete`;

const WORDS_ARE_LOADED = `select ${work.hasOpen({
  ...({ group: '$1', subject: '$2', stages: [INDEX_STAGE], generation: '$3' } as const),
})} as pending`;

/** The vectors of one task, and where they belong. */
interface Load {
  readonly fact: DocumentEmbedded;
  readonly generation: Generation;
  readonly vectors: readonly LoadedVector[];
}

/** Loads the vectors of generations whose words are live. It writes the tables of vectors alone. */
@Injectable()
export class VectorsLoader {
  private readonly size: SliceSize;

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly outbox: Outbox,
    private readonly objects: ObjectStore,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly chunks: ChunkStore,
    private readonly failpoints: Failpoints,
  ) {
    this.size = new SliceSize(database, VECTORS);
  }

  /** @throws LeaseLost; ObjectMissing */
  async load(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<void> {
    const fact = revive(DocumentEmbedded, lease.payload);
    const generation = await this.place(scope, fact);
    if (generation === 'pending') return this.postpone(scope, lease, { counts: false });
    if (generation === 'unknown' && lease.attempts < MOST_WAITS) return this.postpone(scope, lease, { counts: true });
    if (typeof generation === 'string') return this.drop(scope, lease);
    const bytes = await this.objects.get(scope, fact.vectorsObject);
    const vectors = vectorsIn(bytes, fact.chunkCount, generation.embeddingIndex.dimension);
    for (let from = 0; ;) {
      const started = performance.now();
      const to = from + this.size.now;
      const slice = { fact, generation, vectors: vectors.slice(from, to) };
      if (to >= vectors.length) return this.complete(scope, lease, slice);
      if (!(await this.slice(scope, lease, slice))) return this.drop(scope, lease);
      const took = performance.now() - started;
      this.size.took(to - from, took);
      from = to;
      this.failpoints.hit('handover.middle');
      await keeper.keep(lease);
      await this.size.rest(took);
    }
  }

  /**
   * The live generation that the vectors belong to. While its words are being loaded it is `pending`; `obsolete` where it
   * will not be live, or its index is not in use; `unknown` before its hand-over. The load is looked for first: it ends in
   * the transaction that makes the generation live.
   */
  private place(scope: WorkScope, { documentId, revision, generation, embedding }: DocumentEmbedded) {
    return this.database.read(scope, async (tx): Promise<Generation | 'pending' | 'obsolete' | 'unknown'> => {
      const [row] = await tx.prepared<{ pending: boolean }>(WORDS_ARE_LOADED, [tx.groupId, documentId, generation]);
      const [model] = embedding;
      const found = model === undefined ? undefined : await this.embeddingIndexes.find(tx, model);
      if (found?.state === 'RETIRED') return 'obsolete';
      // The first load of a group makes its embedding index.
      const place = found && { documentId, generation, embeddingIndex: found.embeddingIndex };
      if (place !== undefined && (await this.chunks.isLive(tx, place))) return place;
      if (row?.pending === true) return 'pending';
      const key = [tx.groupId, documentId, generation, revision];
      const [state] = await tx.prepared<{ obsolete: boolean }>(IS_OBSOLETE, key);
      return state?.obsolete === true ? 'obsolete' : 'unknown';
    });
  }

  /** Vectors wait for words that are being loaded, or are still to come; the end of their load hastens them. */
  private postpone(scope: WorkScope, lease: Lease, { counts }: { readonly counts: boolean }): Promise<void> {
    const later = {
      reason: 'WordsPending',
      retryInMs: counts ? exponential(lease.attempts, WORDS_MS) : WORDS_MS,
      counts,
    };
    return this.database.write(scope, (tx) => this.tasks.fail(tx, lease, later));
  }

  /** Whether the generation was live still. */
  private slice(scope: WorkScope, lease: Lease, load: Load): Promise<boolean> {
    return this.database.write(scope, async (tx) => {
      await this.tasks.lockLease(tx, lease);
      return this.write(tx, load);
    });
  }

  private async write(tx: Transaction, { generation, vectors }: Load): Promise<boolean> {
    if (!(await this.chunks.lockLive(tx, generation))) return false;
    const { documentId, embeddingIndex } = generation;
    const key = { documentId, generation: generation.generation };
    await this.chunks.loadVectors(
      tx,
      embeddingIndex,
      vectors.map((vector) => ({ ...key, ...vector })),
    );
    return true;
  }

  private complete(scope: WorkScope, lease: Lease, load: Load): Promise<void> {
    const { fact, generation } = load;
    const { indexId } = generation.embeddingIndex;
    return this.database.write(scope, async (tx) => {
      await this.tasks.completeAndDelete(tx, lease);
      const state = await this.embeddingIndexes.lockState(tx, indexId);
      if (state === 'RETIRED' || !(await this.write(tx, load))) return;
      await this.chunks.completeVectors(tx, generation);
      const { documentId, revision, chunkCount } = fact;
      const indexed = { documentId, revision, generation: fact.generation, chunkCount, hasVectors: true };
      await this.outbox.append(tx, documentIndexed, indexed);
      // The document may have been the last one that a new embedding index was waiting for.
      if (state === 'BUILDING') await this.tasks.enqueue(tx, flipTask(scope.groupId, indexId));
    });
  }

  private drop(scope: WorkScope, lease: Lease): Promise<void> {
    return this.database.write(scope, (tx) => this.tasks.completeAndDelete(tx, lease));
  }
}
