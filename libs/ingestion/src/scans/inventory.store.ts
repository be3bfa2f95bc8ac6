import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Tasks, URGENT } from '@acervo/platform-queue';
import { AttachmentStore } from '../attachments/attachment.store';
import { takeNumbers } from '../counters/counter.store';
import { ObjectGarbageCollector, OBJECT_COLUMNS, type Released } from '../document-state/object-garbage-collector';
import { DocumentEvents } from '../document-state/document-events';
import { EarlierVectorsStore } from '../document-state/earlier-vectors.store';
import { ClassificationStore } from '../classification/classification.store';
import type { Root } from '../locations/location.store';
import { priorityOf, USUAL_ORDER } from '../kernel/priority';
import { RESTED } from '../kernel/retries';
import { ACQUIRE } from '../kernel/stages';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { DocumentSkillStore } from '../skills/document-skill.store';
import type { Decision, FoundDocument, RecordedDocument } from './compare';
import type { ScanLock } from './scan-locks';

const DOCUMENTS_SQL = `select document_id as "documentId", generation, size::float8 as size, mtime, content_hash as "contentHash",
  settings_hash as "settingsHash", status, retry_on_scan as "retryOnScan", change_time as "changeTime",
  ${RESTED} as rested, deleted_at is not null as deleted,
  location_code as "locationCode", location_ancestors as ancestors, name, relative_path as "relativePath", path, url
  from ingestion.document
  where group_id = $1 and location_code = any($2::text[]) and parent_id is null`;

const COLUMNS = `"locationCode" text, ancestors text[], name text, "relativePath" text, path text, size bigint,
  mtime text, "changeTime" text, "settingsHash" text, status text, reason text, origin text, url text`;

const beginning = ({ whyNot }: FoundDocument): { status: string; reason: string | null } => ({
  status: whyNot === null ? 'DETECTADO' : 'NO_SOPORTADO',
  reason: whyNot,
});

/** Whether a file that may have been read is no longer read, such as one that became a file of keys by its new name. */
const isUnread = ({ restart, found }: Decision): boolean => restart && found.whyNot !== null;

const isSetApart = new Set<string>(['content_hash', ...OBJECT_COLUMNS]);
/** What the steps made of a document, beside its content and objects. */
const RESULT_COLUMNS = pipelineOrder.columns.filter((column) => !isSetApart.has(column));

/** The context of a scan's writes: its lock and run, and whether its documents go before all backlog. */
export interface Writing {
  readonly lock: ScanLock;
  readonly urgent: boolean;
}

/** A document after a write, with its earlier content and objects. */
interface Written extends Released {
  readonly generation: number;
  readonly order: number;
}

/** A document whose first step begins. */
interface Begun extends Pick<Written, 'generation' | 'order'> {
  readonly documentId: string;
  readonly urgent: boolean;
}

/** The documents of a root as scans read and write them; each write is one short transaction of a few rows. */
@Injectable()
export class InventoryStore {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documentEvents: DocumentEvents,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly attachments: AttachmentStore,
    private readonly earlier: EarlierVectorsStore,
    private readonly classifications: ClassificationStore,
    private readonly skills: DocumentSkillStore,
  ) {}

  /** The documents of some folders, deleted ones included. */
  recorded(scope: TenantScope, locationCodes: readonly string[]): Promise<RecordedDocument[]> {
    return this.database.read(scope, (tx) => tx.query<RecordedDocument>(DOCUMENTS_SQL, [scope.groupId, locationCodes]));
  }

  /** How many documents of a root have a file. */
  async present(scope: TenantScope, root: Root): Promise<number> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<{ present: number }>(
        `select count(*)::int as present from ingestion.document
         where group_id = $1 and root_code = $2 and parent_id is null and deleted_at is null
           and status <> 'NO_ENCONTRADO'`,
        [scope.groupId, root.code],
      ),
    );
    return row?.present ?? 0;
  }

  /** Registers files as documents; answers how many were new. */
  add(scope: TenantScope, root: Root, { lock, urgent }: Writing, files: readonly FoundDocument[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      await lock.assertOwned(tx);
      const first = await takeNumbers(tx, 'document', files.length);
      const rows = files.map((file) => ({ ...file, ...beginning(file) }));
      const added = await tx.query<{ documentId: string; status: string }>(
        `insert into ingestion.document (group_id, root_code, entity_code, code, location_code, location_ancestors, name,
           relative_path, path, size, mtime, change_time, settings_hash, status, reason, run, origin, url)
         select $1, $3, $4, 'D' || ($5::bigint + n - 1), "locationCode", ancestors, name, "relativePath", path, size, mtime,
           "changeTime", "settingsHash", status, reason, $6, origin, url
         from rows from (jsonb_to_recordset($2::jsonb) as (${COLUMNS})) with ordinality as given (
           "locationCode", ancestors, name, "relativePath", path, size, mtime, "changeTime", "settingsHash", status, reason, origin, url, n)
         on conflict (group_id, location_code, name) where parent_id is null do nothing
         returning document_id as "documentId", status`,
        [scope.groupId, JSON.stringify(rows), root.code, root.entityCode, first, lock.run],
      );
      await this.begin(
        tx,
        added
          .filter(({ status }) => status === 'DETECTADO')
          .map(({ documentId }) => ({ documentId, generation: 1, order: USUAL_ORDER, urgent })),
      );
      return added.length;
    });
  }

  /** Executes the decisions about present documents. */
  apply(scope: TenantScope, { lock, urgent }: Writing, decisions: readonly Decision[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      await lock.assertOwned(tx);
      const moved: string[] = [];
      const unreadNow: string[] = [];
      const released: Released[] = [];
      const begun: Begun[] = [];
      const changing = decisions
        .filter(({ newGeneration }) => newGeneration)
        .map(({ recorded }) => recorded.documentId);
      await this.earlier.keep(tx, changing);
      for (const decision of decisions) {
        const written = await this.write(tx, lock.run, decision);
        if (written === undefined) continue;
        const { recorded, restart, retried, contentChanged } = decision;
        if (contentChanged || isUnread(decision)) released.push(written);
        if (restart) await this.tasks.withdraw(tx, recorded.documentId);
        if (restart && !isUnread(decision))
          begun.push({ ...written, documentId: recorded.documentId, urgent: urgent && !retried });
        if (isUnread(decision)) unreadNow.push(recorded.documentId);
        if (decision.moved) moved.push(recorded.documentId);
      }
      await this.begin(tx, begun);
      await this.publishChanges(tx, moved, unreadNow);
      await this.forget(tx, unreadNow);
      await this.garbageCollector.release(tx, released, null);
      return decisions.length;
    });
  }

  /** Takes documents whose file is gone out of search; their results are kept. */
  miss(scope: TenantScope, lock: ScanLock, gone: readonly RecordedDocument[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      await lock.assertOwned(tx);
      const rows = await tx.query<{ documentId: string }>(
        `update ingestion.document set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now()
         where group_id = $1 and document_id = any($2::uuid[]) and status <> 'NO_ENCONTRADO' and deleted_at is null
         returning document_id as "documentId"`,
        [scope.groupId, gone.map(({ documentId }) => documentId)],
      );
      const ids = rows.map(({ documentId }) => documentId);
      for (const id of ids) await this.tasks.withdraw(tx, id);
      await this.documentEvents.withdraw(tx, ids);
      await this.attachments.miss(tx, ids);
      return ids.length;
    });
  }

  /** Publishes moved documents, and withdraws unsupported ones, each with its attachments. */
  private async publishChanges(tx: Transaction, moved: readonly string[], unread: readonly string[]): Promise<void> {
    if (moved.length > 0) {
      const carried = await this.attachments.follow(tx, moved);
      const still = moved.filter((id) => !unread.includes(id));
      await this.documentEvents.describe(tx, [...still, ...carried]);
    }
    if (unread.length === 0) return;
    await this.documentEvents.withdraw(tx, unread);
    await this.attachments.miss(tx, unread);
  }

  /** Forgets what was made of documents that are no longer read. */
  private async forget(tx: Transaction, unread: readonly string[]): Promise<void> {
    if (unread.length === 0) return;
    await this.earlier.forget(tx, unread);
    await this.classifications.forget(tx, unread);
    await this.skills.forget(tx, unread);
  }

  private begin(tx: Transaction, begun: readonly Begun[]): Promise<void> {
    return this.tasks.enqueueAll(
      tx,
      begun.map(({ documentId: subjectId, generation, order, urgent }) => ({
        ...{ subjectId, stage: ACQUIRE.name, generation },
        priority: priorityOf(order) + (urgent ? URGENT : 0),
      })),
    );
  }

  /**
   * The present generation of the document, and its earlier content and objects; undefined when a concurrent scan wrote
   * the same already.
   */
  private async write(tx: Transaction, run: number, decision: Decision): Promise<Written | undefined> {
    const { recorded, found, newGeneration, restart, contentChanged, revived, touched } = decision;
    const { status, reason } = beginning(found);
    const [row] = await tx.query<Written>(
      `update ingestion.document set
         location_code = $4, location_ancestors = $5, name = $6, relative_path = $7, path = $8, size = $9, mtime = $10,
         settings_hash = $11, updated_at = now(),
         content_at = case when $12 then now() else content_at end,
         generation = generation + case when $13 then 1 else 0 end,
         revision = revision + case when $14 then 1 else 0 end,
         content_hash = case when $13 then null else content_hash end,
         ${OBJECT_COLUMNS.map((column) => `${column} = case when $12 or $20 then null else ${column} end`).join(', ')},
         ${RESULT_COLUMNS.map((column) => `${column} = case when $20 then null else ${column} end`).join(', ')},
         status = case when $14 then $15 else status end,
         reason = case when $14 then $16 else reason end,
         retry_on_scan = retry_on_scan and not $14,
         deleted_at = case when $17 then null else deleted_at end,
         run = case when $14 then $18 else run end,
         change_time = case when $14 or $21 then $19 else change_time end
       where group_id = $1 and document_id = $2 and generation = $3
       returning new.generation, new.ingestion_order as "order", old.content_hash as "contentHash",
         array[${OBJECT_COLUMNS.map((column) => `old.${column}`).join(', ')}] as objects`,
      [
        tx.groupId,
        recorded.documentId,
        recorded.generation,
        found.locationCode,
        found.ancestors,
        found.name,
        found.relativePath,
        found.path,
        found.size,
        found.mtime,
        found.settingsHash,
        contentChanged,
        newGeneration,
        restart,
        status,
        reason,
        revived,
        run,
        found.changeTime,
        isUnread(decision),
        touched,
      ],
    );
    return row;
  }
}
