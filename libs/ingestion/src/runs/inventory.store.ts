import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import { type Tasks, URGENT } from '@acervo/platform-queue';
import type { AttachmentStore } from '../attachments/attachment.store';
import { takeNumbers } from '../counters/counter.store';
import { type Discards, OBJECT_COLUMNS, type Released } from '../documents/discards';
import type { DocumentFacts } from '../documents/document.facts';
import type { EarlierVectorsStore } from '../embedding/earlier-vectors.store';
import type { Root } from '../locations/location.store';
import { priorityOf, USUAL_ORDER } from '../pipeline/priority';
import { RESTED } from '../pipeline/retries';
import { ACQUIRE } from '../pipeline/stages';
import type { Decision, FoundDocument, KnownDocument } from './compare';
import type { ScanTurn } from './scan-turns';

const KNOWN = `select document_id as "documentId", generation, size::float8 as size, mtime, content_hash as "contentHash",
  settings_hash as "settingsHash", status, retry_on_scan as "retryOnScan", change_time as "changeTime",
  ${RESTED} as rested, deleted_at is not null as deleted,
  location_code as "locationCode", location_ancestors as ancestors, name, relative_path as "relativePath", path
  from ingestion.document
  where group_id = $1 and location_code = any($2::text[]) and parent_id is null`;

const COLUMNS = `"locationCode" text, ancestors text[], name text, "relativePath" text, path text, size bigint,
  mtime text, "changeTime" text, "settingsHash" text, status text, reason text`;

const beginning = ({ whyNot }: FoundDocument): { status: string; reason: string | null } => ({
  status: whyNot === null ? 'DETECTADO' : 'NO_SOPORTADO',
  reason: whyNot,
});

/** What of a scan is written: the run that it belongs to, and whether it goes before all backlog. */
export interface Writing {
  readonly turn: ScanTurn;
  readonly urgent: boolean;
}

/** A document after a write, with what it had before. */
interface Written extends Released {
  readonly generation: number;
  readonly order: number;
}

export interface InventoryParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly facts: DocumentFacts;
  readonly discards: Discards;
  readonly attachments: AttachmentStore;
  readonly earlier: EarlierVectorsStore;
}

/** The documents of a root as scans read and write them; each write is one short transaction of a few rows. */
export class InventoryStore {
  constructor(private readonly parts: InventoryParts) {}

  /** The documents of some folders, deleted ones included. */
  known(scope: TenantScope, locationCodes: readonly string[]): Promise<KnownDocument[]> {
    return this.parts.database.read(scope, (tx) => tx.query<KnownDocument>(KNOWN, [scope.groupId, locationCodes]));
  }

  /** How many documents of a root have a file. */
  async present(scope: TenantScope, root: Root): Promise<number> {
    const [row] = await this.parts.database.read(scope, (tx) =>
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
  add(scope: TenantScope, root: Root, { turn, urgent }: Writing, files: readonly FoundDocument[]): Promise<number> {
    return this.parts.database.write(scope, async (tx) => {
      await turn.assertHeld(tx);
      const first = await takeNumbers(tx, 'document', files.length);
      const rows = files.map((file) => ({ ...file, ...beginning(file) }));
      const added = await tx.query<{ documentId: string; status: string }>(
        `insert into ingestion.document (group_id, root_code, entity_code, code, location_code, location_ancestors, name,
           relative_path, path, size, mtime, change_time, settings_hash, status, reason, run)
         select $1, $3, $4, 'D' || ($5::bigint + n - 1), "locationCode", ancestors, name, "relativePath", path, size, mtime,
           "changeTime", "settingsHash", status, reason, $6
         from rows from (jsonb_to_recordset($2::jsonb) as (${COLUMNS})) with ordinality as given (
           "locationCode", ancestors, name, "relativePath", path, size, mtime, "changeTime", "settingsHash", status, reason, n)
         on conflict (group_id, location_code, name) where parent_id is null do nothing
         returning document_id as "documentId", status`,
        [scope.groupId, JSON.stringify(rows), root.code, root.entityCode, first, turn.run],
      );
      for (const { documentId, status } of added)
        if (status === 'DETECTADO') await this.begin(tx, documentId, { generation: 1, order: USUAL_ORDER, urgent });
      return added.length;
    });
  }

  /** Carries out what was decided about documents that are there. */
  apply(scope: TenantScope, { turn, urgent }: Writing, decisions: readonly Decision[]): Promise<number> {
    return this.parts.database.write(scope, async (tx) => {
      await turn.assertHeld(tx);
      const moved: string[] = [];
      const unreadNow: string[] = [];
      const released: Released[] = [];
      const changing = decisions.filter(({ newGeneration }) => newGeneration).map(({ known }) => known.documentId);
      await this.parts.discards.replaceAll(tx, await this.parts.earlier.keep(tx, changing));
      for (const decision of decisions) {
        const written = await this.write(tx, turn.run, decision);
        if (written === undefined) continue;
        const { known, found, restart, retried, contentChanged } = decision;
        if (contentChanged) released.push(written);
        if (restart) await this.parts.tasks.withdraw(tx, known.documentId);
        if (restart && found.whyNot === null)
          await this.begin(tx, known.documentId, { ...written, urgent: urgent && !retried });
        // A kind that is no longer read: what was made of it before is not what it is now.
        if (restart && found.whyNot !== null) unreadNow.push(known.documentId);
        if (decision.moved) moved.push(known.documentId);
      }
      await this.tell(tx, moved, unreadNow);
      await this.parts.discards.release(tx, released, null);
      return decisions.length;
    });
  }

  /** Takes documents whose file is gone out of search; what was made of them is kept. */
  miss(scope: TenantScope, turn: ScanTurn, gone: readonly KnownDocument[]): Promise<number> {
    return this.parts.database.write(scope, async (tx) => {
      await turn.assertHeld(tx);
      const rows = await tx.query<{ documentId: string }>(
        `update ingestion.document set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now()
         where group_id = $1 and document_id = any($2::uuid[]) and status <> 'NO_ENCONTRADO' and deleted_at is null
         returning document_id as "documentId"`,
        [scope.groupId, gone.map(({ documentId }) => documentId)],
      );
      const ids = rows.map(({ documentId }) => documentId);
      for (const id of ids) await this.parts.tasks.withdraw(tx, id);
      await this.parts.facts.withdraw(tx, ids);
      await this.parts.attachments.miss(tx, ids);
      return ids.length;
    });
  }

  /** Retrieval hears of what moved and of what is no longer read, with everything that it carries. */
  private async tell(tx: Transaction, moved: readonly string[], unread: readonly string[]): Promise<void> {
    if (moved.length > 0) {
      const carried = await this.parts.attachments.follow(tx, moved);
      const still = moved.filter((id) => !unread.includes(id));
      await this.parts.facts.describe(tx, [...still, ...carried]);
    }
    if (unread.length === 0) return;
    await this.parts.facts.withdraw(tx, unread);
    await this.parts.attachments.miss(tx, unread);
  }

  private begin(
    tx: Transaction,
    subjectId: string,
    { generation, order, urgent = false }: Pick<Written, 'generation' | 'order'> & { readonly urgent?: boolean },
  ): Promise<void> {
    const priority = priorityOf(order) + (urgent ? URGENT : 0);
    return this.parts.tasks.enqueue(tx, { subjectId, stage: ACQUIRE.name, generation, priority });
  }

  /** The generation of the document now, and what it had before; undefined when another scan was faster, which then did the same. */
  private async write(tx: Transaction, run: number, decision: Decision): Promise<Written | undefined> {
    const { known, found, newGeneration, restart, contentChanged, revived } = decision;
    const { status, reason } = beginning(found);
    const [row] = await tx.query<Written>(
      `update ingestion.document set
         location_code = $4, location_ancestors = $5, name = $6, relative_path = $7, path = $8, size = $9, mtime = $10,
         settings_hash = $11, updated_at = now(),
         content_at = case when $12 then now() else content_at end,
         generation = generation + case when $13 then 1 else 0 end,
         revision = revision + case when $14 then 1 else 0 end,
         content_hash = case when $13 then null else content_hash end,
         ${OBJECT_COLUMNS.map((column) => `${column} = case when $12 then null else ${column} end`).join(', ')},
         status = case when $14 then $15 else status end,
         reason = case when $14 then $16 else reason end,
         retry_on_scan = retry_on_scan and not $14,
         deleted_at = case when $17 then null else deleted_at end,
         run = case when $14 then $18 else run end,
         change_time = case when $14 then $19 else change_time end
       where group_id = $1 and document_id = $2 and generation = $3
       returning new.generation, new.ingestion_order as "order", old.content_hash as "contentHash",
         array[${OBJECT_COLUMNS.map((column) => `old.${column}`).join(', ')}] as objects`,
      [
        tx.groupId,
        known.documentId,
        known.generation,
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
      ],
    );
    return row;
  }
}
