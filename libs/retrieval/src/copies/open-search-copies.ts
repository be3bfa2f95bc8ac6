import { EngineDown } from '@acervo/contracts';
import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import { REBUILD_STAGE } from '../handover/stages';
import type { Write } from '../legs/opensearch/bulk';
import { IndexLost, OpenSearchRefused } from '../legs/opensearch/engine-errors';
import { type OpenSearchEngine, WRITE_TIMEOUT_MS } from '../legs/opensearch/open-search-engine';
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

export interface CopiesParts {
  readonly engine: OpenSearchEngine;
  readonly database: Database;
  readonly tasks: Tasks;
  readonly indexes: LexicalIndexStore;
  readonly chunks: CopiedChunkStore;
  /** How long after a new index was noted every write knows of it; the time of the longest one. */
  readonly settleMs?: number;
}

const SETTLE_MS = WRITE_TIMEOUT_MS + 2_000;

/** A copy as the document is known now. */
export const copyOf = (document: CopiedDocument, place: ChunkPlace, terms: string): Write => ({
  ...{ documentId: place.documentId, generation: place.generation, ordinal: place.ordinal },
  version: document.revision,
  content: {
    gone: false,
    entity_code: document.entityCode,
    location_ancestors: document.locationAncestors,
    terms,
  },
});

/** Nobody can tell; whatever is no answer of the engine is an error of ours. */
const unreadable = (error: unknown): null => {
  if (error instanceof EngineDown || error instanceof OpenSearchRefused) return null;
  throw error;
};

/** Keeps the copies of a group in its OpenSearch indexes; versions are revisions, so that the order does not matter. */
export class OpenSearchCopies extends ChunkCopies {
  readonly kept = true;
  private readonly made = new Set<string>();
  private readonly recovering = new Map<string, Promise<void>>();

  constructor(private readonly parts: CopiesParts) {
    super();
  }

  async prepare(scope: TenantScope): Promise<void> {
    if (this.made.has(scope.groupId)) return;
    const { engine, database, indexes } = this.parts;
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
    if (document === undefined) throw new Error('Chunks of a document that nothing is known of cannot be copied.');
    const places = chunks.map(({ ordinal, terms }) => copyOf(document, { ...of, ordinal }, terms));
    await this.write(scope, places);
    return document.revision;
  }

  bury(scope: TenantScope, chunks: readonly VanishingChunk[]): Promise<void> {
    const marks = chunks.map(({ revision: version, ...place }) => ({ ...place, version, content: { gone: true } }));
    return this.write(scope, marks);
  }

  async found(scope: TenantScope, asked: CopiesAsked): Promise<readonly FoundCopies[] | null> {
    const { engine, database, indexes } = this.parts;
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

  /** Writes to every index of the group. One that was lost is made and filled again. */
  async write(scope: TenantScope, writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    const { engine } = this.parts;
    await this.prepare(scope);
    try {
      await engine.write(scope, await this.written(scope), writes);
    } catch (error) {
      if (!(error instanceof IndexLost)) throw error;
      await this.recover(scope);
      await engine.write(scope, await this.written(scope), writes);
    }
  }

  /** The index comes before the row that names it: whoever reads the row may write to it. */
  async makeRoom(scope: TenantScope): Promise<void> {
    const { engine, database, indexes } = this.parts;
    await engine.ensureIndex(scope, await database.read(scope, (tx) => indexes.following(tx)));
  }

  async rebuild(tx: Transaction): Promise<void> {
    await this.plan(tx, await this.parts.indexes.next(tx));
  }

  /**
   * Makes every index again that is missing, and has what was lost filled in: after the engine lost its data, and when
   * it is new to an installation that has documents. One that is there is left as it is. Asked again while it is done,
   * it is done once.
   */
  async recover(scope: TenantScope): Promise<void> {
    const under = this.recovering.get(scope.groupId);
    if (under !== undefined) return under;
    const recovery = this.makeAgain(scope).finally(() => this.recovering.delete(scope.groupId));
    this.recovering.set(scope.groupId, recovery);
    return recovery;
  }

  private makeAgain(scope: TenantScope): Promise<void> {
    this.made.delete(scope.groupId);
    return this.prepare(scope);
  }

  /** Has indexes filled that are not there, before anybody makes them: one that is there counts as whole. */
  private async planLost(scope: TenantScope): Promise<void> {
    const { engine, database } = this.parts;
    const lost: number[] = [];
    for (const number of await this.written(scope)) if (!(await engine.hasIndex(scope, number))) lost.push(number);
    if (lost.length === 0) return;
    await database.write(scope, async (tx) => {
      for (const number of lost) await this.plan(tx, number);
    });
  }

  private async plan(tx: Transaction, number: number): Promise<void> {
    const delayMs = this.parts.settleMs ?? SETTLE_MS;
    const subjectId = tx.groupId ?? '';
    await this.parts.tasks.enqueue(tx, { subjectId, stage: REBUILD_STAGE.name, generation: number, delayMs });
  }

  private written(scope: TenantScope): Promise<readonly number[]> {
    return this.parts.database.read(scope, (tx) => this.parts.indexes.written(tx));
  }

  private documents(scope: TenantScope, ids: readonly string[]): Promise<CopiedDocument[]> {
    return this.parts.database.read(scope, (tx) => this.parts.chunks.documents(tx, ids));
  }
}
