import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { NeededObjectsStore } from '../document-state/needed-objects.store';
import { OBJECT_COLUMNS } from '../document-state/object-garbage-collector';
import { IngestionConfig } from '../ingestion.config';
import { objectsIn } from '../document-state/result.store';

/** The kinds of objects that this service makes. */
const KINDS = ['original', 'text', 'chunks', 'vectors', 'pages'] as const;
/** Documents whose objects are in memory at a time. */
const DOCUMENTS_AT_ONCE = 10_000;
const ROWS = 300;
const KEYS = 500;
const HOUR_MS = 3_600_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The outcome of the check of one part. */
export interface ObjectCheckResult {
  readonly objects: number;
  /** Objects that were unnamed for the grace period, and are deleted now. */
  readonly swept: number;
  /** Keys that documents or results name and that the store does not have. */
  readonly missing: readonly string[];
}

/** Called after each page: the check may take long. */
type Alive = () => Promise<void>;

/** Keys end in random digits, so the parts of a group are of equal size. */
const partOf = (key: string, parts: number): number => parseInt(key.slice(-8), 16) % parts;

/**
 * Compares the named objects with the stored ones. Both sides are split by key into parts that fit into memory; one
 * call checks one part.
 */
@Injectable()
export class ObjectCheck {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly objects: ObjectStore,
    private readonly config: IngestionConfig,
    private readonly needed: NeededObjectsStore,
  ) {}

  async parts(scope: TenantScope): Promise<number> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<{ documents: number }>(`select count(*)::int as documents from ingestion.document where group_id = $1`, [
        scope.groupId,
      ]),
    );
    return Math.max(1, Math.ceil((row?.documents ?? 0) / DOCUMENTS_AT_ONCE));
  }

  /**
   * Names are read first: objects that are made meanwhile are too young to delete, and missing ones are checked again.
   */
  async check(scope: TenantScope, part: number, parts: number, alive: Alive): Promise<ObjectCheckResult> {
    const named = new Set<string>();
    const take = (key: string | null): void => {
      if (key !== null && partOf(key, parts) === part) named.add(key);
    };
    await this.namedByDocuments(scope, take, alive);
    await this.namedByResults(scope, take, alive);
    await this.namedByPages(scope, take, alive);
    const before = new Date(Date.now() - this.config.objectGraceHours * HOUR_MS);
    let [objects, swept] = [0, 0];
    for (const kind of KINDS)
      for (let after: string | null = null; ;) {
        const page = await this.objects.page(scope, kind, { after, limit: KEYS });
        const ownObjects = page.filter(({ key }) => partOf(key, parts) === part);
        objects += ownObjects.length;
        const unnamed = ownObjects.filter(({ key, modifiedAt }) => !named.delete(key) && modifiedAt < before);
        if (unnamed.length > 0)
          swept += await this.sweep(
            scope,
            unnamed.map(({ key }) => key),
          );
        await alive();
        after = page.at(-1)?.key ?? null;
        if (page.length < KEYS) break;
      }
    if (part === 0) swept += await this.objects.tidy(scope, before);
    return { objects, swept, missing: await this.missing(scope, [...named]) };
  }

  /** Deletes results that name missing objects, as they are useless; answers how many. */
  forgetResults(scope: TenantScope, missing: readonly string[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      const rows = await tx.query(
        `delete from ingestion.step_result r where r.group_id = $1 and (
           exists (select from jsonb_each_text(r.value) as named where named.value = any($2::text[]))
           or exists (select from jsonb_array_elements(case jsonb_typeof(r.value -> 'attachments') when 'array'
             then r.value -> 'attachments' else '[]' end) as a where a ->> 'object' = any($2::text[])))
         returning key`,
        [tx.groupId, missing],
      );
      return rows.length;
    });
  }

  private async namedByDocuments(scope: TenantScope, take: (key: string | null) => void, alive: Alive): Promise<void> {
    for (let after = NOBODY; ;) {
      const rows = await this.database.read(scope, (tx) =>
        tx.query<{ documentId: string; objects: (string | null)[] }>(
          `select document_id as "documentId", array[${OBJECT_COLUMNS.join(', ')}] as objects from ingestion.document
           where group_id = $1 and document_id > $2 order by document_id limit ${ROWS}`,
          [scope.groupId, after],
        ),
      );
      for (const { objects } of rows) objects.forEach(take);
      await alive();
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS) return;
      after = last.documentId;
    }
  }

  private async namedByResults(scope: TenantScope, take: (key: string | null) => void, alive: Alive): Promise<void> {
    for (let [stage, key] = ['', '']; ;) {
      const rows = await this.database.read(scope, (tx) =>
        tx.query<{ stage: string; key: string; value: Record<string, unknown> }>(
          `select stage, key, value from ingestion.step_result where group_id = $1 and (stage, key) > ($2, $3)
           order by stage, key limit ${ROWS}`,
          [scope.groupId, stage, key],
        ),
      );
      for (const { value } of rows) objectsIn(value).forEach(take);
      await alive();
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS) return;
      [stage, key] = [last.stage, last.key];
    }
  }

  private async namedByPages(scope: TenantScope, take: (key: string | null) => void, alive: Alive): Promise<void> {
    for (let after = ''; ;) {
      const rows = await this.database.read(scope, (tx) =>
        tx.query<{ object: string }>(
          `select object from ingestion.web_page where group_id = $1 and object > $2 order by object limit ${ROWS}`,
          [scope.groupId, after],
        ),
      );
      for (const { object } of rows) take(object);
      await alive();
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS) return;
      after = last.object;
    }
  }

  /** Checks again that nothing names the objects, right before it deletes them. */
  private async sweep(scope: TenantScope, keys: readonly string[]): Promise<number> {
    const needed = new Set(await this.stillNamed(scope, keys));
    const unneeded = keys.filter((key) => !needed.has(key));
    for (const key of unneeded) await this.objects.delete(scope, key);
    return unneeded.length;
  }

  private async missing(scope: TenantScope, keys: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    for (let from = 0; from < keys.length; from += ROWS) {
      const absent: string[] = [];
      for (const key of keys.slice(from, from + ROWS)) if (!(await this.objects.has(scope, key))) absent.push(key);
      if (absent.length > 0) missing.push(...(await this.stillNamed(scope, absent)));
    }
    return missing;
  }

  private stillNamed(scope: TenantScope, keys: readonly string[]): Promise<string[]> {
    return this.database.read(scope, (tx) => this.needed.anywhere(tx, keys));
  }
}
