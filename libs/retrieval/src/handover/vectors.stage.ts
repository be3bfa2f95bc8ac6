import { Injectable } from '@nestjs/common';
import { DocumentEmbedded, revive } from '@acervo/contracts';
import { BackgroundDatabase, isConnectionLost } from '@acervo/platform-database';
import { ObjectMissing, ObjectStore } from '@acervo/platform-object-store';
import { inTraceOf } from '@acervo/platform-observability';
import { type Lease, LeaseKeeper, LeaseLost, RunsStage, Tasks } from '@acervo/platform-queue';
import { exponential } from '@acervo/platform-resilience';
import type { WorkScope } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { IndexingFailures } from './indexing-failures';
import { vectorsIn } from './prepared-reader';
import { VECTORS_STAGE } from '../kernel/stages';
import { type LoadingVectors, VectorsLoader } from './vectors-loader';
import { type VectorsPlace, VectorsPlaces } from './vectors-places';

/** How long vectors wait for the words of their generation, unless the end of their load hastens them. */
const WORDS_MS = 2_000;
/** The hand-over of the words may arrive later, by another topic. So often its vectors wait, each time twice as long. */
const MOST_WAITS = 6;

/** Vectors that arrived, and the task that loads them. */
interface Arrived {
  readonly lease: Lease;
  readonly fact: DocumentEmbedded;
}

interface Placed extends Arrived {
  readonly place: VectorsPlace;
}

/** Vectors that were read. */
interface Ready extends LoadingVectors {
  readonly embeddingIndex: LiveEmbeddingIndex;
}

const mayWait = ({ place, lease }: Placed): boolean =>
  place === 'pending' || (place === 'unknown' && lease.attempts < MOST_WAITS);

/** The waits for a hand-over that is not known; while its words are being loaded, no wait counts. */
const triesOf = ({ place, lease }: Placed): number => (place === 'pending' ? 0 : lease.attempts);

/** One batch: an error of a document affects no other. */
interface Run {
  readonly scope: WorkScope;
  readonly keeper: LeaseKeeper;
  readonly errors: unknown[];
}

/** Loads vectors of documents that are found by their words already, those of several documents together. */
@Injectable()
export class VectorsStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly objects: ObjectStore,
    private readonly places: VectorsPlaces,
    private readonly loader: VectorsLoader,
    private readonly failures: IndexingFailures,
  ) {}

  @RunsStage(VECTORS_STAGE)
  async work(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const run: Run = { scope, keeper: new LeaseKeeper(this.tasks, leases, VECTORS_STAGE.leaseSeconds), errors: [] };
    const arrived = leases.flatMap((lease) => this.arrived(run, lease) ?? []);
    const places = await this.places.find(
      scope,
      arrived.map(({ fact }) => fact),
    );
    const placed = arrived.map((each, index): Placed => ({ ...each, place: places[index] ?? 'unknown' }));
    await this.leave(scope, placed);
    const ready = await Promise.all(placed.map((each) => this.read(run, each)));
    const loading = ready.flatMap((each) => each ?? []);
    for (const index of new Set(loading.map(({ embeddingIndex }) => embeddingIndex)))
      await this.load(
        run,
        loading.filter(({ embeddingIndex }) => embeddingIndex === index),
      );
    if (run.errors.length > 0) throw run.errors[0];
  }

  /** No later attempt retries these vectors; the document stays searchable by its words. */
  exhausted(scope: WorkScope, lease: Lease, cause: string): Promise<void> {
    return this.failures.exhausted(scope, lease, cause);
  }

  private arrived(run: Run, lease: Lease): Arrived | undefined {
    try {
      return { lease, fact: revive(DocumentEmbedded, lease.payload) };
    } catch (error) {
      return this.failed(run, error);
    }
  }

  /** Lets vectors wait for their words, and ends the tasks of those that belong nowhere. */
  private async leave(scope: WorkScope, placed: readonly Placed[]): Promise<void> {
    const waiting = placed.filter(mayWait);
    const over = placed.filter((each) => typeof each.place === 'string' && !mayWait(each));
    if (waiting.length + over.length === 0) return;
    await this.database.write(scope, async (tx) => {
      await this.tasks.completeAndDeleteAll(
        tx,
        over.map(({ lease }) => lease),
      );
      for (const tries of new Set(waiting.map(triesOf)))
        await this.tasks.postponeAll(
          tx,
          waiting.filter((each) => triesOf(each) === tries).map(({ lease }) => lease),
          { reason: 'WordsPending', counts: tries > 0, retryInMs: exponential(Math.max(1, tries), WORDS_MS) },
        );
    });
  }

  private async read(run: Run, { lease, fact, place }: Placed): Promise<Ready | undefined> {
    if (typeof place === 'string') return undefined;
    try {
      const bytes = await this.objects.get(run.scope, fact.vectorsObject);
      return { lease, fact, embeddingIndex: place, vectors: vectorsIn(bytes, fact.chunkCount, place.dimension) };
    } catch (error) {
      if (!(error instanceof ObjectMissing)) return this.failed(run, error);
      await inTraceOf(lease, () => this.failures.missing(run.scope, lease)).catch((lost: unknown) => {
        this.failed(run, lost);
      });
      return undefined;
    }
  }

  /** Loads together; if that fails, each document on its own. */
  private async load(run: Run, all: readonly Ready[]): Promise<void> {
    const [first] = all;
    if (first === undefined) return;
    try {
      await this.loader.load(run.scope, first.embeddingIndex, all, run.keeper);
    } catch (error) {
      if (all.length === 1 || isConnectionLost(error)) return this.failed(run, error);
      for (const each of all) await this.load(run, [each]);
    }
  }

  /** Another worker owns a lost lease: nothing failed. */
  private failed({ errors }: Run, error: unknown): undefined {
    if (isConnectionLost(error)) throw error;
    if (!(error instanceof LeaseLost)) errors.push(error);
    return undefined;
  }
}
