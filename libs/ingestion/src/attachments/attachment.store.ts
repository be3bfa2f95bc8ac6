import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import { takeNumbers } from '../counters/counter.store';
import { takenAlong } from '../document-state/affected';
import { ObjectGarbageCollector, OBJECT_COLUMNS, type Released } from '../document-state/object-garbage-collector';
import { DocumentEvents } from '../document-state/document-events';
import { EarlierVectorsStore } from '../document-state/earlier-vectors.store';
import { PipelineSettings, settingsHash } from '../reading/pipeline-settings';
import { EXTRACT } from '../kernel/stages';
import { attachmentBeginning, CarriesTooMuch, type StoredAttachment, MOST_CARRIED } from './attachment';

/** Rows that one transaction writes. */
const BATCH = 40;

/** The document that carries attachments, as the step that found them sees it. */
export interface Carrier {
  readonly documentId: string;
  readonly generation: number;
}

interface StoredFile {
  readonly documentId: string;
  readonly code: string;
  readonly name: string;
  readonly contentHash: string | null;
  readonly settingsHash: string;
}

interface Written extends Released {
  readonly documentId: string;
  readonly generation: number;
  readonly status: string;
}

/**
 * Fails when a newer generation or another worker owns the carrier: that one writes its attachments. A carrier that is
 * acquired and extracted within one lease is still in its first state.
 */
const STILL_OURS = `group_id = $1 and document_id = $2 and generation = $3 and status in ('DETECTADO', 'ADQUIRIDO')`;

const ATTACHMENT_ROWS = `jsonb_to_recordset($4::jsonb) as given (code text, name text, size bigint, hash text, object text,
  "settingsHash" text, status text, reason text)`;

/** Logical paths are cut to the length that answers allow. */
const PLACE = {
  relative: `left(p.relative_path || '/' || given.name, 4096)`,
  logical: `left(p.path || '/' || given.name, 4096)`,
};

const CHANGED = `d.content_hash is distinct from excluded.content_hash`;
const MADE_OF_CONTENT = OBJECT_COLUMNS.filter((column) => column !== 'original_object');

const UPSERT = `insert into ingestion.document as d (group_id, parent_id, carrier_id, depth, root_code, entity_code,
    location_code, location_ancestors, code, name, relative_path, path, size, mtime, content_hash, original_object,
    settings_hash, status, reason, origin, url)
  select $1, p.document_id, coalesce(p.carrier_id, p.document_id), p.depth + 1, p.root_code, p.entity_code,
    p.location_code, p.location_ancestors, given.code, given.name, ${PLACE.relative}, ${PLACE.logical},
    given.size, '', given.hash, given.object,
    given."settingsHash", given.status, given.reason, p.origin, p.url
  from ingestion.document p cross join ${ATTACHMENT_ROWS}
  where p.group_id = $1 and p.document_id = $2 and p.generation = $3
  on conflict (group_id, parent_id, name) where parent_id is not null do update set
    ${MADE_OF_CONTENT.map((column) => `${column} = case when ${CHANGED} then null else d.${column} end`).join(', ')},
    size = excluded.size, content_hash = excluded.content_hash, original_object = excluded.original_object,
    settings_hash = excluded.settings_hash, status = excluded.status, reason = excluded.reason, retry_on_scan = false,
    revision = d.revision + 1, updated_at = now(), deleted_at = null, deleted_with = null,
    content_at = case when ${CHANGED} then now() else d.content_at end,
    generation = d.generation + case when ${CHANGED}
      or d.deleted_with is not null or d.settings_hash <> excluded.settings_hash then 1 else 0 end
  where ${CHANGED} or d.deleted_with is not null
    or (d.deleted_at is null and (d.settings_hash <> excluded.settings_hash or d.status = 'NO_ENCONTRADO'
      or d.retry_on_scan or d.original_object is distinct from excluded.original_object))
  returning d.document_id as "documentId", d.generation, d.status,
    case when old.content_hash is distinct from new.content_hash then old.content_hash end as "contentHash",
    array[${OBJECT_COLUMNS.map((column) => `old.${column}`).join(', ')}] as objects`;

/** Marks the documents of `gone`, a relation of ids, unless they are missing or deleted already. */
const markMissing = (gone: string): string => `update ingestion.document d
  set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now()
  from ${gone} where d.group_id = $1 and d.document_id = gone.document_id and ${takenAlong.reportMissing}
  returning d.document_id as "documentId"`;

/** The id of a document whose bytes or settings changed; otherwise nothing. */
const changed = (stored: StoredFile | undefined, now: { hash: string; settingsHash: string }): string[] =>
  stored === undefined || (stored.contentHash === now.hash && stored.settingsHash === now.settingsHash)
    ? []
    : [stored.documentId];

/** Files inside files as documents of their own: they appear, change, move and disappear with their carrier. */
@Injectable()
export class AttachmentStore {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly documentEvents: DocumentEvents,
    private readonly settings: PipelineSettings,
    private readonly garbageCollector: ObjectGarbageCollector,
    private readonly earlier: EarlierVectorsStore,
  ) {}

  /**
   * Makes the attachments of a carrier equal to `found`, in short transactions. It is idempotent; equal attachments
   * cost nothing.
   * @throws CarriesTooMuch for more attachments than one file may carry
   */
  async sync(scope: TenantScope, carrier: Carrier, found: readonly StoredAttachment[]): Promise<void> {
    const stored = await this.knownOf(scope, carrier);
    const there = new Map(stored.map((each) => [each.name, each]));
    await this.assertRoom(scope, carrier, found.filter(({ name }) => !there.has(name)).length);
    for (let from = 0; from < found.length; from += BATCH)
      await this.write(scope, carrier, found.slice(from, from + BATCH), there);
    const names = new Set(found.map(({ name }) => name));
    const gone = stored.filter(({ name }) => !names.has(name)).map(({ documentId }) => documentId);
    if (gone.length > 0)
      await this.database.write(scope, async (tx) => {
        if (await this.isOurs(tx, carrier)) await this.miss(tx, gone, true);
      });
  }

  /** Takes the attachments of documents out of search, at any depth; with `themselves` the documents too. */
  async miss(tx: Transaction, documentIds: readonly string[], themselves = false): Promise<void> {
    const rows = await tx.query<{ documentId: string }>(
      `with recursive gone as (
         select document_id, parent_id from ingestion.document
         where group_id = $1 and case when $3::boolean then document_id else parent_id end = any($2::uuid[])
         union all
         select c.document_id, c.parent_id from ingestion.document c join gone on c.parent_id = gone.document_id
         where c.group_id = $1)
       ${markMissing('gone')}`,
      [tx.groupId, documentIds, themselves],
    );
    await this.withdraw(tx, rows);
  }

  /** The same for documents that are already selected. */
  async markMissing(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    const rows = await tx.query<{ documentId: string }>(markMissing('unnest($2::uuid[]) as gone (document_id)'), [
      tx.groupId,
      documentIds,
    ]);
    await this.withdraw(tx, rows);
  }

  /** Moves the attachments of documents to the present place of their carrier, at any depth; answers the moved ones. */
  async follow(tx: Transaction, documentIds: readonly string[]): Promise<string[]> {
    const moved: string[] = [];
    for (let above = documentIds; above.length > 0;) {
      const rows = await tx.query<{ documentId: string }>(
        `update ingestion.document given set location_code = p.location_code, location_ancestors = p.location_ancestors,
           relative_path = ${PLACE.relative}, path = ${PLACE.logical}, updated_at = now()
         from ingestion.document p
         where given.group_id = $1 and p.group_id = $1 and given.parent_id = p.document_id
           and p.document_id = any($2::uuid[])
         returning given.document_id as "documentId"`,
        [tx.groupId, above],
      );
      above = rows.map(({ documentId }) => documentId);
      moved.push(...above);
    }
    return moved;
  }

  private knownOf(scope: TenantScope, { documentId }: Carrier): Promise<StoredFile[]> {
    return this.database.read(scope, (tx) =>
      tx.query<StoredFile>(
        `select document_id as "documentId", code, name, content_hash as "contentHash",
           settings_hash as "settingsHash" from ingestion.document where group_id = $1 and parent_id = $2`,
        [scope.groupId, documentId],
      ),
    );
  }

  private async assertRoom(scope: TenantScope, { documentId }: Carrier, more: number): Promise<void> {
    if (more === 0) return;
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<{ carried: number }>(
        `select count(*)::int as carried from ingestion.document d join ingestion.document p
           on p.group_id = d.group_id and d.carrier_id = coalesce(p.carrier_id, p.document_id)
         where d.group_id = $1 and p.document_id = $2`,
        [scope.groupId, documentId],
      ),
    );
    if ((row?.carried ?? 0) + more > MOST_CARRIED) throw new CarriesTooMuch();
  }

  private write(
    scope: TenantScope,
    carrier: Carrier,
    found: readonly StoredAttachment[],
    there: ReadonlyMap<string, StoredFile>,
  ): Promise<void> {
    const { garbageCollector, earlier } = this;
    return this.database.write(scope, async (tx) => {
      if (!(await this.isOurs(tx, carrier))) return;
      const depth = await this.depthBelow(tx, carrier);
      let next = await takeNumbers(tx, 'document', found.filter(({ name }) => !there.has(name)).length);
      const rows = found.map((each) => ({
        ...each,
        ...attachmentBeginning(this.settings, each.name, depth),
        code: there.get(each.name)?.code ?? `D${next++}`,
        settingsHash: settingsHash(this.settings, each.name),
      }));
      const changing = rows.flatMap(({ name, ...now }) => changed(there.get(name), now));
      await earlier.keep(tx, changing);
      const { documentId, generation } = carrier;
      const written = await tx.query<Written>(UPSERT, [tx.groupId, documentId, generation, JSON.stringify(rows)]);
      await garbageCollector.release(
        tx,
        written.filter(({ contentHash }) => contentHash !== null),
        null,
      );
      await this.begin(tx, written);
    });
  }

  /** Starts new and changed attachments; unsupported ones leave search. */
  private async begin(tx: Transaction, written: readonly Written[]): Promise<void> {
    for (const { documentId: subjectId, generation, status } of written) {
      await this.tasks.withdraw(tx, subjectId);
      if (status === 'ADQUIRIDO') await this.tasks.enqueue(tx, { subjectId, stage: EXTRACT.name, generation });
    }
    const unread = written.filter(({ status }) => status !== 'ADQUIRIDO').map(({ documentId }) => documentId);
    if (unread.length === 0) return;
    await this.documentEvents.withdraw(tx, unread);
    await this.miss(tx, unread);
  }

  private async withdraw(tx: Transaction, rows: readonly { readonly documentId: string }[]): Promise<void> {
    const ids = rows.map(({ documentId }) => documentId);
    for (const id of ids) await this.tasks.withdraw(tx, id);
    await this.documentEvents.withdraw(tx, ids);
  }

  private async isOurs(tx: Transaction, { documentId, generation }: Carrier): Promise<boolean> {
    const rows = await tx.query(`select from ingestion.document where ${STILL_OURS} for no key update`, [
      tx.groupId,
      documentId,
      generation,
    ]);
    return rows.length > 0;
  }

  private async depthBelow(tx: Transaction, { documentId }: Carrier): Promise<number> {
    const [row] = await tx.query<{ depth: number }>(
      `select depth from ingestion.document where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId],
    );
    return (row?.depth ?? 0) + 1;
  }
}
