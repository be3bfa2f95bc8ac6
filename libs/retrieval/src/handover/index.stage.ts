import { setTimeout as pause } from 'node:timers/promises';
import {
  documentIndexed,
  documentIndexingFailed,
  type DocumentIndexingFailed,
  DocumentPrepared,
  embeddingSpaceLive,
  EngineDown,
  type EmbeddingModelKey,
  revive,
} from '@acervo/contracts';
import { type Embedders, sameSpace } from '@acervo/models';
import { type Database, isConnectionLost, type Transaction } from '@acervo/platform-database';
import type { Failpoints, Outbox } from '@acervo/platform-messaging';
import { ObjectMissing } from '@acervo/platform-object-store';
import { inTraceOf } from '@acervo/platform-observability';
import {
  type Doorbells,
  type Lease,
  LeaseKeeper,
  LeaseLost,
  RunsStage,
  type Tasks,
  WORKER_DIED,
} from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { BucketKeeper } from '../buckets/bucket-keeper';
import type { ChunkCopies } from '../copies/chunk-copies';
import type { ProjectionStore } from '../projection/projection.store';
import type { LiveSpace, SpaceStore } from '../spaces/space.store';
import type { ChunkStore, Generation } from './chunk.store';
import type { PreparedReader } from './prepared-reader';
import { BUILD_STAGE, COPY_STAGE, FLIP_STAGE, INDEX_STAGE, PURGE_STAGE } from './stages';

/** Chunks that one transaction writes: where one session serves all, nobody waits longer than for these. */
const SLICE = 8;
/** The same while requests are being answered. */
const SMALL_SLICE = 2;
/** How long after a document came into a space somebody looks whether it was the last one. */
const LOOK_AFTER_MS = 1_000;

export interface IndexParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly outbox: Outbox;
  readonly projection: ProjectionStore;
  readonly spaces: SpaceStore;
  readonly buckets: BucketKeeper;
  readonly chunks: ChunkStore;
  readonly copies: ChunkCopies;
  readonly prepared: PreparedReader;
  readonly failpoints: Failpoints;
  readonly embedders: Embedders;
}

const keyOf = ({ model, revision, dimension, floor }: EmbeddingModelKey): EmbeddingModelKey => ({
  model,
  revision,
  dimension,
  floor,
});

const GIVEN_BACK_MS = 5_000;

/** Brings a hand-over into both legs in small transactions; the last one makes it live and says so. */
export class IndexStage {
  constructor(private readonly parts: IndexParts) {}

  @RunsStage(INDEX_STAGE)
  index(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.work(scope, leases);
  }

  @RunsStage(BUILD_STAGE)
  build(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    return this.work(scope, leases);
  }

  private async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const keeper = new LeaseKeeper(this.parts.tasks, leases, INDEX_STAGE.leaseSeconds);
    const failures: unknown[] = [];
    for (const lease of leases)
      await inTraceOf(lease, () => this.indexOrGiveUp(scope, lease, keeper)).catch((error: unknown) => {
        if (isConnectionLost(error) || error instanceof EngineDown) throw error;
        // Withdrawn, or taken by another worker: nothing failed, and nothing is left to do.
        if (!(error instanceof LeaseLost)) failures.push(error);
      });
    // One that fails takes none of its batch along: what is committed by now is not given back.
    if (failures.length > 0) throw failures[0];
  }

  /** Tells ingestion that the index gave up, and has removed what was loaded by then: no later try takes it up. */
  async exhausted(scope: WorkScope, lease: Lease, cause: string): Promise<void> {
    const isFinal = cause === WORKER_DIED;
    const reason = isFinal
      ? 'Each time that the document was indexed the program ended; retry it when that is repaired.'
      : 'The document could not be indexed; retry it, or see the log of the retrieval service.';
    // Until the lease is given back, which follows at once, the purge takes the chunks for those of a load.
    await this.parts.database.write(scope, (tx) => this.fail(tx, lease, { reason, isFinal }, GIVEN_BACK_MS));
  }

  /**
   * What is gone from the object store belongs to a document that changed or was deleted meanwhile, which ingestion
   * knows and whose answer it leaves alone; if not, it was lost, and ingestion makes it again. No later try finds it.
   */
  private async giveUpMissing(scope: WorkScope, lease: Lease): Promise<void> {
    const { database, tasks } = this.parts;
    const reason = 'What was prepared of the document is gone from the object store; the next scan prepares it again.';
    await database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      await this.fail(tx, lease, { reason, isFinal: false });
    });
  }

  private indexOrGiveUp(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<void> {
    return this.indexOne(scope, lease, keeper).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
      return this.giveUpMissing(scope, lease);
    });
  }

  private async fail(
    tx: Transaction,
    lease: Lease,
    why: Pick<DocumentIndexingFailed, 'reason' | 'isFinal'>,
    purgeInMs?: number,
  ): Promise<void> {
    const { documentId, revision, generation } = revive(DocumentPrepared, lease.payload);
    const { outbox, tasks } = this.parts;
    await outbox.append(tx, documentIndexingFailed, { documentId, revision, generation, ...why });
    await tasks.enqueue(tx, { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0, delayMs: purgeInMs });
  }

  private async indexOne(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<void> {
    const fact = revive(DocumentPrepared, lease.payload);
    const space = await this.spaceOf(scope, fact);
    if (space === undefined) return this.drop(scope, lease);
    const generation: Generation = { documentId: fact.documentId, generation: fact.generation, space };
    const copied = await this.load(scope, lease, generation, fact, keeper);
    const leavesOthers = await this.goLive(scope, lease, { ...generation, copied }, fact);
    await this.parts.buckets.grown(scope, space, fact.chunkCount);
    if (leavesOthers) await this.parts.doorbells.ring(scope.groupId, PURGE_STAGE.name);
  }

  /** The space of a hand-over; undefined when it is searched no more, and a later hand-over brings other vectors. */
  private async spaceOf(scope: WorkScope, { embedding }: DocumentPrepared): Promise<LiveSpace | undefined> {
    const [model] = embedding;
    if (model === undefined) throw new Error('A hand-over names no space.');
    const { database, outbox, spaces, buckets, copies, embedders } = this.parts;
    // Before anybody searches the space: who finds no partitions would take both legs for broken.
    await buckets.prepare(scope, model.dimension);
    await copies.prepare(scope);
    const known = await database.read(scope, (tx) => spaces.find(tx, model));
    if (known !== undefined && known.state !== 'RETIRED') return known.space;
    const { space, state } = await database.write(scope, async (tx) => {
      const ensured = await spaces.ensure(tx, model, sameSpace(model, embedders.target.space));
      if (ensured.becameLive) await outbox.append(tx, embeddingSpaceLive, keyOf(model));
      return ensured;
    });
    return state === 'RETIRED' ? undefined : space;
  }

  private drop(scope: WorkScope, lease: Lease): Promise<void> {
    return this.parts.database.write(scope, (tx) => this.parts.tasks.complete(tx, lease));
  }

  /** Writes a generation into both legs; answers the revision of the copies, where any are kept. */
  private async load(
    scope: WorkScope,
    lease: Lease,
    generation: Generation,
    fact: DocumentPrepared,
    keeper: LeaseKeeper,
  ): Promise<number | null> {
    const { database, chunks, copies, prepared, failpoints } = this.parts;
    const all = await prepared.read(scope, fact, generation.space.dimension);
    for (let from = 0; from < all.length;) {
      const started = performance.now();
      const to = from + (database.isWanted ? SMALL_SLICE : SLICE);
      await database.write(scope, async (tx) => {
        await chunks.hold(tx, lease);
        // The rest goes with the last slice: nothing that was there before outlives a load that makes all anew.
        if (fact.anew === true) await chunks.clear(tx, generation, from, to < all.length ? to : null);
        await chunks.load(tx, generation, all.slice(from, to));
      });
      from = to;
      failpoints.hit('handover.middle');
      await keeper.keep(lease);
      // As long as the slice took, so that requests get at least every second turn of a shared session.
      if (database.isWanted) await pause(Math.min(100, performance.now() - started));
    }
    return copies.put(scope, generation, all);
  }

  /**
   * The one transaction that counts: the lease still held, nothing newer known, live, and published. Answers whether
   * it leaves anything that is to be purged.
   */
  private async goLive(
    scope: WorkScope,
    lease: Lease,
    generation: Generation & { readonly copied: number | null },
    fact: DocumentPrepared,
  ): Promise<boolean> {
    const { database, tasks, projection, spaces, chunks, outbox } = this.parts;
    const { documentId, revision, chunkCount } = fact;
    const { spaceId } = generation.space;
    return database.write(scope, async (tx) => {
      await tasks.complete(tx, lease);
      const state = await spaces.hold(tx, spaceId);
      const admitted = state !== 'RETIRED' && (await projection.admits(tx, documentId));
      const live = admitted && (await chunks.makeLive(tx, generation, chunkCount));
      const leavesOthers = !live || (await chunks.hasOthers(tx, generation));
      if (leavesOthers) await tasks.enqueue(tx, { subjectId: documentId, stage: PURGE_STAGE.name, generation: 0 });
      // A fact that came while copies were written found nothing live to write anew.
      if (generation.copied !== null && generation.copied !== (await projection.revision(tx, documentId)))
        await tasks.enqueue(tx, { subjectId: documentId, stage: COPY_STAGE.name, generation: 0 });
      if (live)
        await outbox.append(tx, documentIndexed, { documentId, revision, generation: fact.generation, chunkCount });
      // Put off a little, so that one look serves all documents that come meanwhile.
      const look = { subjectId: scope.groupId, stage: FLIP_STAGE.name, generation: spaceId, delayMs: LOOK_AFTER_MS };
      if (state === 'BUILDING') await tasks.enqueue(tx, look);
      return leavesOthers;
    });
  }
}
