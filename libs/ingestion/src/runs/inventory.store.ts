import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import type { AttachmentStore } from '../attachments/attachment.store';
import { takeNumbers } from '../counters/counter.store';
import type { DocumentFacts } from '../documents/document.facts';
import type { Root } from '../locations/location.store';
import { ACQUIRE } from '../pipeline/stages';
import type { Decision, FoundDocument, KnownDocument } from './compare';

const PAGE = 2_000;

const KNOWN = `select document_id as "documentId", generation, size::float8 as size, mtime, content_hash as "contentHash",
  settings_hash as "settingsHash", status, retry_on_scan as "retryOnScan", location_code as "locationCode",
  location_ancestors as ancestors, name, relative_path as "relativePath", path
  from ingestion.document
  where group_id = $1 and root_code = $2 and parent_id is null and document_id > $3 order by document_id limit ${PAGE}`;

const COLUMNS = `"locationCode" text, ancestors text[], name text, "relativePath" text, path text, size bigint,
  mtime text, "settingsHash" text, status text, reason text`;

const NOBODY = '00000000-0000-0000-0000-000000000000';

const beginning = ({ whyNot }: FoundDocument): { status: string; reason: string | null } => ({
  status: whyNot === null ? 'DETECTADO' : 'NO_SOPORTADO',
  reason: whyNot,
});

/** The documents of a root as scans read and write them; each write is one short transaction of a few rows. */
export class InventoryStore {
  constructor(
    private readonly database: Database,
    private readonly tasks: Tasks,
    private readonly facts: DocumentFacts,
    private readonly attachments: AttachmentStore,
  ) {}

  async known(scope: TenantScope, root: Root): Promise<KnownDocument[]> {
    const all: KnownDocument[] = [];
    for (;;) {
      const after = all.at(-1)?.documentId ?? NOBODY;
      const page = await this.database.read(scope, (tx) =>
        tx.query<KnownDocument>(KNOWN, [scope.groupId, root.code, after]),
      );
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }

  /** Registers files as documents; answers how many were new. */
  add(scope: TenantScope, root: Root, files: readonly FoundDocument[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      const first = await takeNumbers(tx, 'document', files.length);
      const rows = files.map((file) => ({ ...file, ...beginning(file) }));
      const added = await tx.query<{ documentId: string; status: string }>(
        `insert into ingestion.document (group_id, root_code, entity_code, code, location_code, location_ancestors, name,
           relative_path, path, size, mtime, settings_hash, status, reason)
         select $1, $3, $4, 'D' || ($5::bigint + n - 1), "locationCode", ancestors, name, "relativePath", path, size, mtime,
           "settingsHash", status, reason
         from rows from (jsonb_to_recordset($2::jsonb) as (${COLUMNS})) with ordinality as given (
           "locationCode", ancestors, name, "relativePath", path, size, mtime, "settingsHash", status, reason, n)
         on conflict (group_id, location_code, name) where parent_id is null do nothing
         returning document_id as "documentId", status`,
        [scope.groupId, JSON.stringify(rows), root.code, root.entityCode, first],
      );
      for (const { documentId, status } of added) if (status === 'DETECTADO') await this.begin(tx, documentId, 1);
      return added.length;
    });
  }

  /** Carries out what was decided about documents that are there. */
  apply(scope: TenantScope, decisions: readonly Decision[]): Promise<void> {
    return this.database.write(scope, async (tx) => {
      const moved: string[] = [];
      const unreadNow: string[] = [];
      for (const decision of decisions) {
        const generation = await this.write(tx, decision);
        if (generation === undefined) continue;
        const { known, found, restart } = decision;
        if (restart) await this.tasks.withdraw(tx, known.documentId);
        if (restart && found.whyNot === null) await this.begin(tx, known.documentId, generation);
        // A kind that is no longer read: what was made of it before is not what it is now.
        if (restart && found.whyNot !== null) unreadNow.push(known.documentId);
        if (decision.moved) moved.push(known.documentId);
      }
      await this.tell(tx, moved, unreadNow);
    });
  }

  /** Takes documents whose file is gone out of search; what was made of them is kept. */
  miss(scope: TenantScope, gone: readonly KnownDocument[]): Promise<number> {
    return this.database.write(scope, async (tx) => {
      const rows = await tx.query<{ documentId: string }>(
        `update ingestion.document set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now()
         where group_id = $1 and document_id = any($2::uuid[]) and status <> 'NO_ENCONTRADO'
         returning document_id as "documentId"`,
        [scope.groupId, gone.map(({ documentId }) => documentId)],
      );
      const ids = rows.map(({ documentId }) => documentId);
      for (const id of ids) await this.tasks.withdraw(tx, id);
      await this.facts.withdraw(tx, ids);
      await this.attachments.miss(tx, ids);
      return ids.length;
    });
  }

  /** Retrieval hears of what moved and of what is no longer read, with everything that it carries. */
  private async tell(tx: Transaction, moved: readonly string[], unread: readonly string[]): Promise<void> {
    if (moved.length > 0) {
      const carried = await this.attachments.follow(tx, moved);
      const still = moved.filter((id) => !unread.includes(id));
      await this.facts.describe(tx, [...still, ...carried]);
    }
    if (unread.length === 0) return;
    await this.facts.withdraw(tx, unread);
    await this.attachments.miss(tx, unread);
  }

  private begin(tx: Transaction, subjectId: string, generation: number): Promise<void> {
    return this.tasks.enqueue(tx, { subjectId, stage: ACQUIRE.name, generation });
  }

  /** The generation of the document now; undefined when another scan was faster, which then did the same. */
  private async write(tx: Transaction, decision: Decision): Promise<number | undefined> {
    const { known, found, newGeneration, restart, contentChanged } = decision;
    const { status, reason } = beginning(found);
    const [row] = await tx.query<{ generation: number }>(
      `update ingestion.document set
         location_code = $4, location_ancestors = $5, name = $6, relative_path = $7, path = $8, size = $9, mtime = $10,
         settings_hash = $11, updated_at = now(),
         content_at = case when $12 then now() else content_at end,
         generation = generation + case when $13 then 1 else 0 end,
         revision = revision + case when $14 then 1 else 0 end,
         content_hash = case when $13 then null else content_hash end,
         status = case when $14 then $15 else status end,
         reason = case when $14 then $16 else reason end,
         retry_on_scan = retry_on_scan and not $14
       where group_id = $1 and document_id = $2 and generation = $3 returning generation`,
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
      ],
    );
    return row?.generation;
  }
}
