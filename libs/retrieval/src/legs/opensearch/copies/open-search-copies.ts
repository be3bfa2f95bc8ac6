import { EngineDown } from '@acervo/contracts';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import { SingleFlight } from '@acervo/platform-resilience';
import { REBUILD_STAGE } from '../../../kernel/stages';
import type { Write } from '../bulk';
import { IndexLost, OpenSearchRefused } from '../engine-errors';
import { type OpenSearchEngine, WRITE_TIMEOUT_MS } from '../open-search-engine';
import {
  ChunkCopies,
  type ChunkPlace,
  type ChunkWords,
  type CopiedGeneration,
  type CopiesAsked,
  type FoundCopies,
  type VanishingChunk,
} from './chunk-copies';
import type { CopiedChunkStore, CopiedDocument } from './copied-chunk.store';
import type { LexicalIndexStore } from './lexical-index.store';

/** How long until every write uses a new index: the time of the longest write. */
const SETTLE_MS = WRITE_TIMEOUT_MS + 2_000;

/** The copy of a chunk, from the current description of its document. */
export const copyOf = (document: CopiedDocument, place: ChunkPlace, terms: string): Write => ({
  ...{ documentId: place.documentId, generation: place.generation, ordinal: place.ordinal },
  version: document.revision,
  content: {
    gone: false,
    entity_code: document.entityCode,
    location_ancestors: document.locationAncestors,
    type_codes: document.typeCodes,
    attribute_codes: document.attributeCodes,
    characteristic_codes: document.characteristicCodes,
    terms,
  },
});

/** Null when the engine does not answer; every other error is a bug and is thrown. */
const unreadable = (error: unknown): null => {
  if (error instanceof EngineDown || error instanceof OpenSearchRefused) return null;
  throw error;
};

/**
 * Writes the copies of a group to its OpenSearch indexes. Versions are revisions, so the order of writes does not
 * matter.
 */
export class OpenSearchCopies extends ChunkCopies {
  readonly isEnabled = true;
  private readonly made = new Set<string>();
  private readonly recovering = new SingleFlight<void>();

  constructor(
    private readonly engine: OpenSearchEngine,
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly indexes: LexicalIndexStore,
    private readonly chunks: CopiedChunkStore,
    private readonly settleMs = SETTLE_MS,
  ) {
    super();
  }

  async prepare(scope: TenantScope): Promise<void> {
    if (this.made.has(scope.groupId)) return;
    const { engine, database, indexes } = this;
    const first = await database.write(scope, async (tx) => {
      const state = await indexes.first(tx);
      if (state === 'BUILDING') await this.plan(tx, 1);
      return state;
    });
    if (first === undefined) await this.planLost(scope);
    const { written, live } = await database.read(scope, async (tx) => ({
      written: await indexes.written(tx),
      live: await indexes.live(tx),
    }));
    for (const number of written) await engine.ensureIndex(scope, number);
    if (live !== undefined && !(await engine.isAimed(scope))) await engine.aim(scope, live);
    this.made.add(scope.groupId);
  }

  async put(scope: TenantScope, of: CopiedGeneration, chunks: readonly ChunkWords[]): Promise<number | null> {
    const [document] = await this.documents(scope, [of.documentId]);
    if (document === undefined) throw new Error('Chunks of an unknown document cannot be copied.');
    const places = chunks.map(({ ordinal, terms }) => copyOf(document, { ...of, ordinal }, terms));
    await this.write(scope, places);
    return document.revision;
  }

  tombstone(scope: TenantScope, chunks: readonly VanishingChunk[]): Promise<void> {
    const marks = chunks.map(({ revision: version, ...place }) => ({ ...place, version, content: { gone: true } }));
    return this.write(scope, marks);
  }

  async found(scope: TenantScope, asked: CopiesAsked): Promise<readonly FoundCopies[] | null> {
    const { engine, database, indexes } = this;
    if (!(await database.read(scope, (tx) => indexes.isWhole(tx)))) return null;
    return engine
      .found(scope, asked)
      .catch(async (error: unknown) => {
        if (!(error instanceof IndexLost)) throw error;
        await this.recover(scope);
        return null;
      })
      .catch(unreadable);
  }

  /** Writes to every index of the group. A lost index is created and filled again. */
  async write(scope: TenantScope, writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    const { engine } = this;
    await this.prepare(scope);
    try {
      await engine.write(scope, await this.written(scope), writes);
    } catch (error) {
      if (!(error instanceof IndexLost)) throw error;
      await this.recover(scope);
      await engine.write(scope, await this.written(scope), writes);
    }
  }

  /** The index is created before the row that names it: every reader of the row may write to it. */
  async makeRoom(scope: TenantScope): Promise<void> {
    const { engine, database, indexes } = this;
    await engine.ensureIndex(scope, await database.read(scope, (tx) => indexes.following(tx)));
  }

  async rebuild(tx: Transaction): Promise<void> {
    await this.plan(tx, await this.indexes.next(tx));
  }

  /**
   * Creates every missing index again and plans to fill it. This happens after the engine lost its data, and for a new
   * engine of an installation with documents. An existing index stays as it is. Concurrent calls share one run.
   */
  recover(scope: TenantScope): Promise<void> {
    return this.recovering.run(scope.groupId, () => this.makeAgain(scope));
  }

  private makeAgain(scope: TenantScope): Promise<void> {
    this.made.delete(scope.groupId);
    return this.prepare(scope);
  }

  /** Plans to fill missing indexes before they are created: an existing index counts as complete. */
  private async planLost(scope: TenantScope): Promise<void> {
    const { engine, database } = this;
    const lost: number[] = [];
    for (const number of await this.written(scope)) if (!(await engine.hasIndex(scope, number))) lost.push(number);
    if (lost.length === 0) return;
    await database.write(scope, async (tx) => {
      for (const number of lost) await this.plan(tx, number);
    });
  }

  private async plan(tx: Transaction, number: number): Promise<void> {
    const subjectId = tx.groupId ?? '';
    await this.tasks.enqueue(tx, { subjectId, stage: REBUILD_STAGE.name, generation: number, delayMs: this.settleMs });
  }

  private written(scope: TenantScope): Promise<readonly number[]> {
    return this.database.read(scope, (tx) => this.indexes.written(tx));
  }

  private documents(scope: TenantScope, ids: readonly string[]): Promise<CopiedDocument[]> {
    return this.database.read(scope, (tx) => this.chunks.documents(tx, ids));
  }
}
