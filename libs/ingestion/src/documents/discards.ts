import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '@acervo/platform-database';
import type { ObjectStore } from '@acervo/platform-object-store';
import { type Lease, RunsStage, type Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import type { ResultStore } from '../pipeline/result.store';
import { DISCARD, type Discarded } from '../pipeline/stages';

/** The columns of a document that name objects. */
export const OBJECT_COLUMNS = ['original_object', 'text_object', 'chunks_object', 'vectors_object'] as const;

/** What a document had before something was taken from it. */
export interface Released {
  readonly contentHash: string | null;
  /** Objects that it named; those that it never had are null. */
  readonly objects: readonly (string | null)[];
}

/** Longer than a result is shared before it is kept. */
const ABANDONED_MS = 40_000;

const isKey = (key: string | null): key is string => key !== null;

/** Sees to it that what no document needs any more is removed: rows at once, objects by a task. */
export class Discards {
  constructor(
    private readonly tasks: Tasks,
    private readonly results: ResultStore,
  ) {}

  /** Forgets what was made of the content; with `stages`, what these steps made of it, whoever else has it. */
  async release(tx: Transaction, released: readonly Released[], stages: readonly string[] | null): Promise<void> {
    const hashes = released.flatMap(({ contentHash }) => (contentHash === null ? [] : [contentHash]));
    const remembered = hashes.length === 0 ? [] : await this.results.forget(tx, hashes, stages);
    const objects = [...new Set([...remembered, ...released.flatMap((each) => each.objects.filter(isKey))])];
    await this.look(tx, hashes, objects);
  }

  /** Looks after objects of a content that others took the place of. */
  async replace(tx: Transaction, contentHash: string | null, objects: readonly string[]): Promise<void> {
    await this.look(tx, contentHash === null ? [] : [contentHash], objects);
  }

  /** The same of several contents. */
  async replaceAll(tx: Transaction, released: readonly Released[]): Promise<void> {
    for (const { contentHash, objects } of released) await this.replace(tx, contentHash, objects.filter(isKey));
  }

  /**
   * Looks after objects that were made for a document which went another way meanwhile. Later: another document of
   * the same content may be about to use them.
   */
  async abandon(tx: Transaction, contentHash: string | null, objects: readonly string[]): Promise<void> {
    await this.look(tx, contentHash === null ? [] : [contentHash], objects, ABANDONED_MS);
  }

  /** Has somebody look whether objects are still needed, once this transaction is over. */
  private async look(
    tx: Transaction,
    hashes: readonly string[],
    objects: readonly string[],
    delayMs = 0,
  ): Promise<void> {
    if (objects.length === 0) return;
    // A subject of its own: the task outlives all work on the document.
    await this.tasks.enqueue(tx, {
      subjectId: randomUUID(),
      stage: DISCARD.name,
      generation: 1,
      payload: { objects, hashes } satisfies Discarded,
      delayMs,
    });
  }
}

/** What a document had before it changed is needed until it is embedded again. */
const EARLIER_NEEDED = `exists (select from ingestion.earlier_vectors e where e.group_id = $1
    and e.chunks_object = object)
  or exists (select from ingestion.earlier_vectors e where e.group_id = $1 and e.vectors_object = object)`;

/**
 * Objects are shared by documents and results of the same content, and by the results of files that carry others, so
 * that nobody else needs to be asked.
 */
const NEEDED = `select object from unnest($2::text[]) as given (object) where
  exists (select from ingestion.document d where d.group_id = $1 and d.content_hash = any($3::text[])
    and object in (${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}))
  or ${EARLIER_NEEDED}
  or exists (select from ingestion.step_result r, jsonb_each_text(r.value) as named
    where r.group_id = $1 and r.content_hash = any($3::text[]) and named.value = object)
  or exists (select from ingestion.step_result r where r.group_id = $1 and r.value -> 'attachments' <> '[]'::jsonb
    and r.value -> 'attachments' @> jsonb_build_array(jsonb_build_object('object', object)))`;

/** The same of objects that may be anybody's: asked about a few, because it looks at every row. */
export const NEEDED_ANYWHERE = `select object from unnest($2::text[]) as given (object) where
  exists (select from ingestion.document d where d.group_id = $1
    and object in (${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}))
  or ${EARLIER_NEEDED}
  or exists (select from ingestion.step_result r, jsonb_each_text(r.value) as named
    where r.group_id = $1 and named.value = object)
  or exists (select from ingestion.step_result r where r.group_id = $1 and r.value -> 'attachments' <> '[]'::jsonb
    and r.value -> 'attachments' @> jsonb_build_array(jsonb_build_object('object', object)))`;

const listIn = ({ payload }: Lease, name: string): string[] => {
  const given: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
  return Array.isArray(given) ? given.filter((each): each is string => typeof each === 'string') : [];
};

/** Removes the objects that nothing names any more. */
export class DiscardStage {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly objects: ObjectStore,
  ) {}

  @RunsStage(DISCARD)
  async discard(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      for (const key of await this.unneeded(scope, lease)) await this.objects.delete(scope, key);
      await this.database.write(scope, (tx) => this.tasks.dismiss(tx, lease));
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
