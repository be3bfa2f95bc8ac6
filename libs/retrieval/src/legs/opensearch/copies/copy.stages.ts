import type { Database, Transaction } from '@acervo/platform-database';
import { type Lease, LeaseKeeper, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { TOMBSTONE_STAGE, COPY_STAGE, DROP_STAGE, REBUILD_STAGE } from '../../../kernel/stages';
import { chunkId } from '../index-shape';
import type { OpenSearchEngine } from '../open-search-engine';
import { BEGINNING, type CopiedChunk, type CopiedChunkStore } from './copied-chunk.store';
import type { LexicalIndexStore } from './lexical-index.store';
import { copyOf, type OpenSearchCopies } from './open-search-copies';

/** Chunks per read and write. */
const PAGE = 200;
/** A search that began in the old index ends in it. */
const SEARCHES_END_MS = 60_000;

/** An event arrived while the work on an earlier one ended: the work is repeated. */
class Overtaken extends Error {}

const written = (chunk: CopiedChunk) => copyOf(chunk, chunk, chunk.terms);

/** What maintains the copies of chunks in the background. */
export abstract class CopyMaintenance {}

/** There are no copies, hence no stages. */
export class NoCopyStages extends CopyMaintenance {}

/** Maintains copies: writes them again when documents move, and rebuilds whole indexes. */
export class CopyStages extends CopyMaintenance {
  constructor(
    private readonly engine: OpenSearchEngine,
    private readonly copies: OpenSearchCopies,
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly indexes: LexicalIndexStore,
    private readonly chunks: CopiedChunkStore,
  ) {
    super();
  }

  @RunsStage(COPY_STAGE)
  async copy(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const keeper = new LeaseKeeper(this.tasks, leases, COPY_STAGE.leaseSeconds);
    for (const lease of leases) while (!(await this.copyOne(scope, lease, keeper)));
  }

  /**
   * Copies are read before chunks, and tombstones are written after them: a copy that has its chunk is never replaced.
   */
  @RunsStage(TOMBSTONE_STAGE)
  async tombstone(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { database, tasks, engine, copies, chunks } = this;
    const keeper = new LeaseKeeper(tasks, leases, TOMBSTONE_STAGE.leaseSeconds);
    for (const lease of leases) {
      const { subjectId } = lease;
      for await (const page of engine.copiesOf(scope, subjectId)) {
        await copies.tombstone(scope, await database.read(scope, (tx) => chunks.absent(tx, subjectId, page)));
        await keeper.keep(lease);
      }
      await database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
    }
  }

  /** Fills an index until it lacks nothing. Then makes it live, unless a later index is. */
  @RunsStage(REBUILD_STAGE)
  async rebuild(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { engine, database, indexes, tasks } = this;
    for (const lease of leases) {
      if (!(await database.read(scope, (tx) => indexes.written(tx))).includes(lease.generation)) {
        await database.write(scope, (tx) => tasks.completeAndDelete(tx, lease));
        continue;
      }
      const keeper = new LeaseKeeper(tasks, [lease], REBUILD_STAGE.leaseSeconds);
      await engine.ensureIndex(scope, lease.generation);
      while ((await this.fill(scope, lease, keeper)) > 0);
      await engine.refresh(scope, lease.generation);
      await engine.aim(scope, lease.generation);
      const live = await database.write(scope, (tx) => this.end(tx, lease));
      if (live !== undefined && live !== lease.generation) await engine.aim(scope, live);
    }
  }

  @RunsStage(DROP_STAGE)
  async drop(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    const { engine, database, indexes, tasks } = this;
    for (const lease of leases) {
      const isRetired = await database.read(scope, (tx) => indexes.isRetired(tx, lease.generation));
      if (isRetired) await engine.drop(scope, lease.generation);
      await database.write(scope, async (tx) => {
        await tasks.completeAndDelete(tx, lease);
        await indexes.forget(tx, lease.generation);
      });
    }
  }

  /** Copies a document from its current description; returns false when the description changed meanwhile. */
  private async copyOne(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<boolean> {
    const { database, tasks, chunks, copies } = this;
    const before = await database.read(scope, (tx) => chunks.revision(tx, lease.subjectId));
    await this.walk(scope, lease.subjectId, async (page) => {
      await copies.write(scope, page.map(written));
      await keeper.keep(lease);
    });
    const end = database.write(scope, async (tx) => {
      // The task ends first: a later event enqueues it again.
      await tasks.completeAndDelete(tx, lease);
      if ((await chunks.revision(tx, lease.subjectId)) !== before) throw new Overtaken();
    });
    return end.then(
      () => true,
      (error: unknown) => {
        if (error instanceof Overtaken) return false;
        throw error;
      },
    );
  }

  /** One walk over all chunks; returns how many were missing. */
  private async fill(scope: WorkScope, lease: Lease, keeper: LeaseKeeper): Promise<number> {
    const { engine } = this;
    let filled = 0;
    await this.walk(scope, null, async (page) => {
      const missing = await engine.missing(scope, lease.generation, page);
      const lacking = page.filter((chunk) => missing.has(chunkId(chunk)));
      if (lacking.length > 0) await engine.write(scope, [lease.generation], lacking.map(written));
      filled += lacking.length;
      await keeper.keep(lease);
    });
    return filled;
  }

  /** Returns the live index: another one when a later index was filled before this one. */
  private async end(tx: Transaction, lease: Lease): Promise<number | undefined> {
    const { tasks, indexes } = this;
    await tasks.completeAndDelete(tx, lease);
    for (const generation of await indexes.makeLive(tx, lease.generation))
      await tasks.enqueue(tx, {
        ...{ subjectId: lease.subjectId, stage: DROP_STAGE.name, generation },
        delayMs: SEARCHES_END_MS,
      });
    return indexes.live(tx);
  }

  /** Walks the stored chunks of a document, or of the whole group, page by page. */
  private async walk(
    scope: WorkScope,
    documentId: string | null,
    visit: (page: readonly CopiedChunk[]) => Promise<void>,
  ): Promise<void> {
    const { database, chunks } = this;
    let walked = BEGINNING;
    for (;;) {
      const from = walked;
      const page = await database.read(scope, (tx) => chunks.chunksAfter(tx, from, PAGE, documentId));
      if (page.length > 0) await visit(page);
      if (page.length < PAGE) return;
      walked = page[page.length - 1] ?? walked;
    }
  }
}
