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
import { PURGE_STAGE } from '../handover/stages';
import type { SpaceStore } from '../spaces/space.store';
import { heldDocument, type HeldStore, type KnownRow, type Loaded } from './held.store';

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
}

/** Whether there is anything of a document: what was only asked for is not. */
const isHeld = ({ documentId, revision, live, loading, busy, parked }: KnownRow, rows: readonly Loaded[]): boolean =>
  revision !== null ||
  live.length + loading.length > 0 ||
  busy ||
  parked ||
  rows.some((row) => row.documentId === documentId);

/** Tells what this service has, so that it can be compared with what it should have. */
export class HeldCalls {
  constructor(private readonly parts: HeldParts) {}

  @Handles(listHeld)
  async list(scope: WorkScope, { after, limit, only }: HeldRequest): Promise<HeldDocuments> {
    const { database, spaces, held } = this.parts;
    const { space, dimensions } = await database.read(scope, async (tx) => ({
      space: await spaces.live(tx),
      dimensions: await spaces.dimensions(tx),
    }));
    const bucket = space?.bucket ?? null;
    const page = { after: after === '' ? null : after, limit };
    const ids =
      only.length > 0
        ? [...only].sort()
        : await database.read(scope, (tx) => held.ids(tx, page, { bucket, dimensions }), BY_KEY);
    const known = await database.read(scope, (tx) => held.known(tx, ids));
    const [chunks = [], ...vectors] =
      bucket === null ? [] : await this.countAll(scope, ids, { bucket, tables: ['chunk', ...dimensions] });
    const rows = [chunks, vectors.flat()] as const;
    const documents = known.filter((row) => isHeld(row, rows.flat())).map((row) => heldDocument(row, space, ...rows));
    const hasMore = only.length === 0 && ids.length === limit;
    if (space === undefined) return { documents, hasMore, space: [] };
    const { model, revision, dimension, floor } = space;
    return { documents, hasMore, space: [{ model, revision, dimension, floor }] };
  }

  @Handles(purgeHeld)
  async purge(scope: WorkScope, { documentIds }: DocumentsToPurge, context: WriteContext): Promise<PlannedPurge> {
    await context.write(async (tx) => {
      for (const subjectId of documentIds)
        await this.parts.tasks.enqueue(tx, { subjectId, stage: PURGE_STAGE.name, generation: 0 });
    });
    await this.parts.doorbells.ring(scope.groupId, PURGE_STAGE.name);
    return { documents: documentIds.length };
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
