import { Injectable } from '@nestjs/common';
import {
  type DocumentsToPurge,
  type InventoryPage,
  type InventoryRequest,
  listInventory,
  type PlannedPurge,
  purgeStale,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { BackgroundDatabase, type LocalSettings } from '@acervo/platform-database';
import { WorkSignals, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ChunkCopies, type CopiesAsked, type FoundCopies } from '../legs/opensearch/copies/chunk-copies';
import { TOMBSTONE_STAGE, PURGE_STAGE } from '../kernel/stages';
import { EmbeddingIndexStore } from '../embedding-indexes/embedding-index.store';
import {
  type CountedRows,
  inventoryOf,
  IndexInventoryStore,
  type DocumentRow,
  type Loaded,
} from './index-inventory.store';

/** Documents whose chunks one transaction counts. */
const SLICE = 10;
/** Reads in the order of the key, with statistics or without. */
const BY_KEY: LocalSettings = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' };

/** Whether a document has rows or copies; a request alone does not count. */
const isIndexed = (row: DocumentRow, { chunks, vectors, copies }: CountedRows): boolean =>
  row.revision !== null ||
  row.live.length + row.loading.length > 0 ||
  row.busy ||
  row.parked ||
  [...chunks, ...vectors, ...(copies ?? [])].some(({ documentId }) => documentId === row.documentId);

/** The documents of a page, according to the tables and the copies. */
interface InventoryIds {
  readonly ids: readonly string[];
  readonly copies: readonly FoundCopies[] | null;
  readonly hasMore: boolean;
}

/** Reports the index inventory of this service, to be compared with ingestion. */
@Injectable()
export class IndexInventoryHandlers {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly workSignals: WorkSignals,
    private readonly embeddingIndexes: EmbeddingIndexStore,
    private readonly inventory: IndexInventoryStore,
    private readonly copies: ChunkCopies,
  ) {}

  @Handles(listInventory)
  async list(scope: WorkScope, request: InventoryRequest): Promise<InventoryPage> {
    const { database, embeddingIndexes, inventory } = this;
    const { embeddingIndex, dimensions } = await database.read(scope, async (tx) => ({
      embeddingIndex: await embeddingIndexes.live(tx),
      dimensions: await embeddingIndexes.dimensions(tx),
    }));
    const bucket = embeddingIndex?.bucket ?? null;
    const { ids, copies, hasMore } = await this.ids(scope, request, { bucket, dimensions });
    const rows = await database.read(scope, (tx) => inventory.documentRows(tx, ids));
    const [chunks = [], ...vectors] =
      bucket === null ? [] : await this.countAll(scope, ids, { bucket, tables: ['chunk', ...dimensions] });
    const counted = { chunks, vectors: vectors.flat(), copies };
    const documents = rows
      .filter((row) => isIndexed(row, counted))
      .map((row) => inventoryOf(row, embeddingIndex, counted));
    const page = { documents, hasMore, copiesUnread: this.copies.isEnabled && copies === null };
    if (embeddingIndex === undefined) return { ...page, space: [] };
    const { model, revision, dimension, floor } = embeddingIndex;
    return { ...page, space: [{ model, revision, dimension, floor }] };
  }

  @Handles(purgeStale)
  async purge(scope: WorkScope, { documentIds }: DocumentsToPurge, context: WriteContext): Promise<PlannedPurge> {
    const { tasks, workSignals, copies } = this;
    const stages = copies.isEnabled ? [PURGE_STAGE.name, TOMBSTONE_STAGE.name] : [PURGE_STAGE.name];
    await context.write(async (tx) => {
      for (const subjectId of documentIds)
        for (const stage of stages) await tasks.enqueue(tx, { subjectId, stage, generation: 0 });
    });
    for (const stage of stages) await workSignals.notify(scope.groupId, stage);
    return { documents: documentIds.length };
  }

  /**
   * The next documents that have rows or copies. The engine gets one query, about the same range of ids; where the
   * database ranks words it gets none.
   */
  private async ids(
    scope: WorkScope,
    { after: from, limit, only }: InventoryRequest,
    tables: { bucket: number | null; dimensions: readonly number[] },
  ): Promise<InventoryIds> {
    const { database, inventory, copies } = this;
    const ask = async (asked: CopiesAsked) => (copies.isEnabled ? copies.found(scope, asked) : null);
    if (only.length > 0) return { ids: [...only].sort(), copies: await ask({ only }), hasMore: false };
    const after = from === '' ? null : from;
    const indexedIds = await database.read(scope, (tx) => inventory.ids(tx, { after, limit }, tables), BY_KEY);
    const isFull = indexedIds.length === limit;
    const found = await ask({ after, through: isFull ? (indexedIds.at(-1) ?? null) : null, most: limit });
    const all = [...new Set([...indexedIds, ...(found ?? []).map(({ documentId }) => documentId)])].sort();
    return { ids: all.slice(0, limit), copies: found, hasMore: isFull || all.length > limit };
  }

  /** The rows of each table, counted a few documents at a time: a search waits for one such count at most. */
  private async countAll(
    scope: WorkScope,
    ids: readonly string[],
    { bucket, tables }: { bucket: number; tables: readonly ('chunk' | number)[] },
  ): Promise<Loaded[][]> {
    const { database, inventory } = this;
    const counted: Loaded[][] = [];
    for (const table of tables) {
      const rows: Loaded[] = [];
      for (let from = 0; from < ids.length; from += SLICE)
        rows.push(
          ...(await database.read(scope, (tx) => inventory.loaded(tx, table, bucket, ids.slice(from, from + SLICE)), {
            enable_seqscan: 'off',
          })),
        );
      counted.push(rows);
    }
    return counted;
  }
}
