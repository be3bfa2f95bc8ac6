import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { ResultStore } from './result.store';
import { COLLECT_OBJECTS, type CollectableObjects } from '../kernel/stages';

/** The columns of a document that name objects. */
export const OBJECT_COLUMNS = ['original_object', 'text_object', 'chunks_object', 'vectors_object'] as const;

/** The content and objects of a document before a change released them. */
export interface Released {
  readonly contentHash: string | null;
  /** Objects that the document named; null where it had none. */
  readonly objects: readonly (string | null)[];
}

/** Longer than a result is shared before it is stored. */
const SHARED_RESULT_MS = 40_000;

const isKey = (key: string | null): key is string => key !== null;
const hashesOf = (released: readonly Released[]): string[] =>
  released.map(({ contentHash }) => contentHash).filter(isKey);
const objectsOf = (released: readonly Released[]): string[] => released.flatMap(({ objects }) => objects.filter(isKey));

/** Garbage-collects what no document needs any longer: rows at once, objects by a task. */
@Injectable()
export class ObjectGarbageCollector {
  constructor(
    private readonly tasks: Tasks,
    private readonly results: ResultStore,
  ) {}

  /** Deletes the results of the content, also those that other documents share; with `stages`, of these steps only. */
  async release(tx: Transaction, released: readonly Released[], stages: readonly string[] | null): Promise<void> {
    const hashes = hashesOf(released);
    const remembered = hashes.length === 0 ? [] : await this.results.forget(tx, hashes, stages);
    await this.schedule(tx, hashes, [...new Set([...remembered, ...objectsOf(released)])]);
  }

  /** Collects objects of contents that others replaced. */
  async replaceAll(tx: Transaction, released: readonly Released[]): Promise<void> {
    const replaced = released.filter(({ objects }) => objects.length > 0);
    await this.schedule(tx, hashesOf(replaced), objectsOf(replaced));
  }

  /**
   * Collects objects that were made for documents which changed meanwhile. It waits: another document of the same
   * content may be about to use them.
   */
  async collectLater(tx: Transaction, released: readonly Released[]): Promise<void> {
    await this.schedule(tx, hashesOf(released), objectsOf(released), SHARED_RESULT_MS);
  }

  /** Schedules a check whether objects are still needed, after this transaction. */
  private async schedule(
    tx: Transaction,
    hashes: readonly string[],
    objects: readonly string[],
    delayMs = 0,
  ): Promise<void> {
    if (objects.length === 0) return;
    // The task has a subject of its own, so it outlives all work on the document.
    await this.tasks.enqueue(tx, {
      subjectId: randomUUID(),
      stage: COLLECT_OBJECTS.name,
      generation: 1,
      payload: { objects, hashes } satisfies CollectableObjects,
      delayMs,
    });
  }
}

/** The objects of a document before its change are needed until it is embedded again. */
const EARLIER_NEEDED = `exists (select from ingestion.earlier_vectors e where e.group_id = $1
    and e.chunks_object = object)
  or exists (select from ingestion.earlier_vectors e where e.group_id = $1 and e.vectors_object = object)`;

/** Documents, results of the same content, and results of carriers share objects, so only these are checked. */
const NEEDED = `select object from unnest($2::text[]) as given (object) where
  exists (select from ingestion.document d where d.group_id = $1 and d.content_hash = any($3::text[])
    and object in (${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}))
  or ${EARLIER_NEEDED}
  or exists (select from ingestion.step_result r, jsonb_each_text(r.value) as named
    where r.group_id = $1 and r.content_hash = any($3::text[]) and named.value = object)
  or exists (select from ingestion.step_result r where r.group_id = $1 and r.value -> 'attachments' <> '[]'::jsonb
    and r.value -> 'attachments' @> jsonb_build_array(jsonb_build_object('object', object)))`;

/** The same without a content hash. It scans every row, so callers pass few objects. */
export const NEEDED_ANYWHERE = `select object from unnest($2::text[]) as given (object) where
  exists (select from ingestion.document d where d.group_id = $1
    and object in (${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}))
  or ${EARLIER_NEEDED}
  or exists (select from ingestion.step_result r, jsonb_each_text(r.value) as named
    where r.group_id = $1 and named.value = object)
  or exists (select from ingestion.step_result r where r.group_id = $1 and r.value -> 'attachments' <> '[]'::jsonb
    and r.value -> 'attachments' @> jsonb_build_array(jsonb_build_object('object', object)))`;

const listIn = ({ payload }: Lease, name: string): string[] => {
  const list: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : [];
};

/** Deletes the objects that no row names any longer. */
@Injectable()
export class GarbageCollectionStage {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly objects: ObjectStore,
  ) {}

  @RunsStage(COLLECT_OBJECTS)
  async collect(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      for (const key of await this.unneeded(scope, lease)) await this.objects.delete(scope, key);
      await this.database.write(scope, (tx) => this.tasks.completeAndDelete(tx, lease));
    }
  }

  private async unneeded(scope: WorkScope, lease: Lease): Promise<string[]> {
    const keys = listIn(lease, 'objects');
    const rows = await this.database.read(scope, (tx) =>
      tx.query<{ object: string }>(NEEDED, [scope.groupId, keys, listIn(lease, 'hashes')]),
    );
    const needed = new Set(rows.map(({ object }) => object));
    return keys.filter((key) => !needed.has(key));
  }
}
