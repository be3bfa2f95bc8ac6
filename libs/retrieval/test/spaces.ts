import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  composeSpaces,
  createSpace,
  deleteSpace,
  type NewSpace,
  promoteSpace,
  refreshSpace,
  setSpaceCriteria,
  type Space,
  SpaceComposition,
  SpaceCriteria,
  type SpaceDeleted,
  type SpaceDetail,
  type SpaceDocuments,
  type SpaceEffect,
  type SpaceList,
  type SpaceUpdate,
  updateSpace,
} from '@acervo/contracts';
import { type Scope, WorkScope } from '@acervo/rbac';
import { SpaceChangesHandlers } from '../src/spaces/space-changes.handlers';
import { SpaceExistenceHandlers } from '../src/spaces/space-existence.handlers';
import { SpaceRefreshHandlers } from '../src/spaces/space-refresh.handlers';
import { SpacesHandlers } from '../src/spaces/spaces.handlers';
import type { Replaced, Retrieval } from './support';

export const criteriaOf = (fields: Partial<SpaceCriteria>): SpaceCriteria => Object.assign(new SpaceCriteria(), fields);

/** The calls about spaces, as users send them. */
export class SpaceCalls {
  private constructor(
    private readonly retrieval: Retrieval,
    private readonly changes: SpaceChangesHandlers,
    private readonly refreshes: SpaceRefreshHandlers,
    private readonly reads: SpacesHandlers,
    private readonly existence: SpaceExistenceHandlers,
  ) {}

  static async of(retrieval: Retrieval, replaced?: Replaced): Promise<SpaceCalls> {
    return new SpaceCalls(
      retrieval,
      await retrieval.provider(SpaceChangesHandlers, replaced),
      await retrieval.provider(SpaceRefreshHandlers, replaced),
      await retrieval.provider(SpacesHandlers, replaced),
      await retrieval.provider(SpaceExistenceHandlers, replaced),
    );
  }

  create(scope: Scope, draft: Partial<NewSpace> = {}): Promise<Space> {
    const input = { name: 'Un espacio', ...draft };
    return this.changes.create(scope, input, this.retrieval.writing(createSpace, scope, input));
  }

  /** The number of a new space with criteria. */
  async gathered(scope: Scope, fields: Partial<SpaceCriteria>, draft: Partial<NewSpace> = {}): Promise<number> {
    return (await this.create(scope, { ...draft, criteria: criteriaOf(fields) })).spaceId;
  }

  compose(
    scope: Scope,
    operation: SpaceComposition['operation'],
    [spaceIdA, spaceIdB]: readonly [number, number],
    over: Partial<SpaceComposition> = {},
  ): Promise<Space> {
    const input = Object.assign(new SpaceComposition(), { operation, spaceIdA, spaceIdB, spaceType: 'AREA', ...over });
    return this.refreshes.compose(scope, input, this.retrieval.writing(composeSpaces, scope, input));
  }

  update(scope: Scope, input: SpaceUpdate): Promise<Space> {
    return this.changes.update(scope, input, this.retrieval.writing(updateSpace, scope, input));
  }

  setCriteria(scope: Scope, spaceId: number, fields: Partial<SpaceCriteria>): Promise<Space> {
    const input = { spaceId, criteria: criteriaOf(fields) };
    return this.refreshes.setCriteria(scope, input, this.retrieval.writing(setSpaceCriteria, scope, input));
  }

  refresh(scope: Scope, spaceId: number): Promise<Space> {
    return this.refreshes.refresh(scope, { spaceId }, this.retrieval.writing(refreshSpace, scope, { spaceId }));
  }

  promote(scope: Scope, spaceId: number): Promise<Space> {
    return this.changes.promote(scope, { spaceId }, this.retrieval.writing(promoteSpace, scope, { spaceId }));
  }

  preview(scope: Scope, spaceId: number): Promise<SpaceEffect> {
    return this.changes.previewDeletion(scope, { spaceId });
  }

  delete(scope: Scope, spaceId: number): Promise<SpaceDeleted> {
    return this.changes.delete(scope, { spaceId }, this.retrieval.writing(deleteSpace, scope, { spaceId }));
  }

  async exists(groupId: string, spaceId: number): Promise<boolean> {
    const scope = new WorkScope(groupId, 'ingestion', 'test');
    return (await this.existence.exists(scope, { spaceId })).exists;
  }

  list(scope: Scope, limit = 20, cursor?: string): Promise<SpaceList> {
    return this.reads.list(scope, { limit, ...(cursor === undefined ? {} : { cursor }) });
  }

  get(scope: Scope, spaceId: number, documentLimit = 200): Promise<SpaceDetail> {
    return this.reads.get(scope, { spaceId, documentLimit });
  }

  documents(scope: Scope, spaceId: number, limit = 200, cursor?: string): Promise<SpaceDocuments> {
    return this.reads.listDocuments(scope, { spaceId, limit, ...(cursor === undefined ? {} : { cursor }) });
  }

  /** The codes of the documents that a reader sees. */
  async codes(scope: Scope, spaceId: number): Promise<readonly string[]> {
    return (await this.documents(scope, spaceId)).documents.map(({ code }) => code);
  }
}

/** The answer of a call that waits for the refresh of a space, which is worked meanwhile. */
export const worked = async <T>(retrieval: Retrieval, groupId: string, call: Promise<T>): Promise<T> => {
  let isOver = false;
  const over = call.finally(() => (isOver = true));
  while (!isOver) if ((await retrieval.work(groupId, 'refresh-space')) === 0) await pause(5);
  return over;
};

/** A document as a row of the projection. */
export interface PlacedDocument {
  readonly documentId: string;
  readonly code: string;
  readonly entityCode?: string;
  readonly ancestors?: readonly string[];
  readonly types?: readonly string[];
  readonly withdrawn?: boolean;
  readonly live?: boolean;
}

/** Documents of one type, numbered. */
export const numberedDocuments = (type: string, from: number, to: number): PlacedDocument[] =>
  Array.from({ length: to - from }, (_, index) => ({
    ...{ documentId: randomUUID(), code: `D${String(from + index).padStart(5, '0')}`, types: [type] },
  }));

const PLACED = `jsonb_to_recordset($2::jsonb) as f ("documentId" uuid, code text, "entityCode" text, ancestors text[],
  types text[], withdrawn boolean, live boolean)`;

/** Stores searchable documents without chunks; those that exist are replaced. */
export const placeDocuments = (
  { database }: Retrieval,
  groupId: string,
  documents: readonly PlacedDocument[],
): Promise<void> =>
  database.write({ groupId }, async (tx) => {
    const params = [groupId, JSON.stringify(documents)];
    await tx.query(
      `insert into retrieval.embedding_space (group_id, space_id, model, revision, dimension, floor, state)
       values ($1, 1, 'none', '1', 384, 0, 'LIVE') on conflict do nothing`,
      [groupId],
    );
    await tx.query(
      `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
         location_ancestors, relative_path, path, origin, type_codes, withdrawn, noted_in)
       select $1, "documentId", 1, code, code, '', coalesce("entityCode", 'E1'), 'L1', coalesce(ancestors, '{L1}'), '', '',
         'CARPETA', coalesce(types, '{}'), coalesce(withdrawn, false), pg_current_xact_id() from ${PLACED}
       on conflict (group_id, document_id) do update set entity_code = excluded.entity_code, noted_in = excluded.noted_in,
         location_ancestors = excluded.location_ancestors, type_codes = excluded.type_codes, withdrawn = excluded.withdrawn`,
      params,
    );
    await tx.query(
      `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
       select $1, "documentId", 1, 1, 0, 1 from ${PLACED} where coalesce(live, true) on conflict do nothing`,
      params,
    );
  });
