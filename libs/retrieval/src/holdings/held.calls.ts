import {
  type DocumentsToPurge,
  type HeldDocuments,
  type HeldRequest,
  listHeld,
  type PlannedPurge,
  purgeHeld,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Database, LocalSettings } from '@acervo/platform-database';
import type { Doorbells, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { ChunkCopies, CopiesAsked, FoundCopies } from '../copies/chunk-copies';
import { BURY_STAGE, PURGE_STAGE } from '../handover/stages';
import type { SpaceStore } from '../spaces/space.store';
import { type CountedRows, heldDocument, type HeldStore, type KnownRow, type Loaded } from './held.store';

/** Documents whose chunks one transaction counts. */
const SLICE = 10;
/** The order of the key is at hand, with statistics or without. */
const BY_KEY: LocalSettings = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' };

export interface HeldParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly spaces: SpaceStore;
  readonly held: HeldStore;
  readonly copies: ChunkCopies;
}

/** Whether there is anything of a document: what was only asked for is not. */
const isHeld = (row: KnownRow, { chunks, vectors, copies }: CountedRows): boolean =>
  row.revision !== null ||
  row.live.length + row.loading.length > 0 ||
  row.busy ||
  row.parked ||
  [...chunks, ...vectors, ...(copies ?? [])].some(({ documentId }) => documentId === row.documentId);

/** The documents of a page, as they stand in the tables and in the copies. */
interface HeldIds {
  readonly ids: readonly string[];
  readonly copies: readonly FoundCopies[] | null;
  readonly hasMore: boolean;
}

/** Tells what this service has, so that it can be compared with what it should have. */
export class HeldCalls {
  constructor(private readonly parts: HeldParts) {}

  @Handles(listHeld)
  async list(scope: WorkScope, request: HeldRequest): Promise<HeldDocuments> {
    const { database, spaces, held } = this.parts;
    const { space, dimensions } = await database.read(scope, async (tx) => ({
      space: await spaces.live(tx),
      dimensions: await spaces.dimensions(tx),
    }));
    const bucket = space?.bucket ?? null;
    const { ids, copies, hasMore } = await this.ids(scope, request, { bucket, dimensions });
    const known = await database.read(scope, (tx) => held.known(tx, ids));
    const [chunks = [], ...vectors] =
      bucket === null ? [] : await this.countAll(scope, ids, { bucket, tables: ['chunk', ...dimensions] });
    const counted = { chunks, vectors: vectors.flat(), copies };
    const documents = known.filter((row) => isHeld(row, counted)).map((row) => heldDocument(row, space, counted));
    const page = { documents, hasMore, copiesUnread: this.parts.copies.kept && copies === null };
    if (space === undefined) return { ...page, space: [] };
    const { model, revision, dimension, floor } = space;
    return { ...page, space: [{ model, revision, dimension, floor }] };
  }

  @Handles(purgeHeld)
  async purge(scope: WorkScope, { documentIds }: DocumentsToPurge, context: WriteContext): Promise<PlannedPurge> {
    const { tasks, doorbells, copies } = this.parts;
    const stages = copies.kept ? [PURGE_STAGE.name, BURY_STAGE.name] : [PURGE_STAGE.name];
    await context.write(async (tx) => {
      for (const subjectId of documentIds)
        for (const stage of stages) await tasks.enqueue(tx, { subjectId, stage, generation: 0 });
    });
    for (const stage of stages) await doorbells.ring(scope.groupId, stage);
    return { documents: documentIds.length };
  }

  /**
   * The next documents that stand in the tables or have copies. The engine is asked once, about the same range of ids;
   * where the database ranks words it is not asked.
   */
  private async ids(
    scope: WorkScope,
    { after: from, limit, only }: HeldRequest,
    tables: { bucket: number | null; dimensions: readonly number[] },
  ): Promise<HeldIds> {
    const { database, held, copies } = this.parts;
    const ask = async (asked: CopiesAsked) => (copies.kept ? copies.found(scope, asked) : null);
    if (only.length > 0) return { ids: [...only].sort(), copies: await ask({ only }), hasMore: false };
    const after = from === '' ? null : from;
    const own = await database.read(scope, (tx) => held.ids(tx, { after, limit }, tables), BY_KEY);
    const isFull = own.length === limit;
    const found = await ask({ after, through: isFull ? (own.at(-1) ?? null) : null, most: limit });
    const all = [...new Set([...own, ...(found ?? []).map(({ documentId }) => documentId)])].sort();
    return { ids: all.slice(0, limit), copies: found, hasMore: isFull || all.length > limit };
  }

  /** The rows of each table, counted a few documents at a time: searches wait no longer than for these. */
  private async countAll(
    scope: WorkScope,
    ids: readonly string[],
    { bucket, tables }: { bucket: number; tables: readonly ('chunk' | number)[] },
  ): Promise<Loaded[][]> {
    const { database, held } = this.parts;
    const counted: Loaded[][] = [];
    for (const table of tables) {
      const rows: Loaded[] = [];
      for (let from = 0; from < ids.length; from += SLICE)
        rows.push(
          ...(await database.read(scope, (tx) => held.loaded(tx, table, bucket, ids.slice(from, from + SLICE)), {
            enable_seqscan: 'off',
          })),
        );
      counted.push(rows);
    }
    return counted;
  }
}
