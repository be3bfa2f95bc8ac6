import type { Database, TenantScope, Transaction } from '@acervo/platform-database';
import type { Tasks } from '@acervo/platform-queue';
import { takeNumbers } from '../counters/counter.store';
import { type Discards, OBJECT_COLUMNS, type Released } from '../documents/discards';
import type { DocumentFacts } from '../documents/document.facts';
import type { EarlierVectorsStore } from '../embedding/earlier-vectors.store';
import { type PipelineSettings, settingsHash } from '../pipeline/settings';
import { EXTRACT } from '../pipeline/stages';
import { attachmentBeginning, CarriesTooMuch, type KeptAttachment, MOST_CARRIED } from './attachment';

/** Rows that one transaction writes. */
const BATCH = 40;

/** The document that carries attachments, as the step that found them knows it. */
export interface Carrier {
  readonly documentId: string;
  readonly generation: number;
}

interface Known {
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

/** A newer generation, or another worker, has taken the carrier over: what it carries is told by them. */
const STILL_OURS = `group_id = $1 and document_id = $2 and generation = $3 and status = 'ADQUIRIDO'`;

const GIVEN = `jsonb_to_recordset($4::jsonb) as given (code text, name text, size bigint, hash text, object text,
  "settingsHash" text, status text, reason text)`;

/** Logical paths are cut where no answer could name them. */
const PLACE = {
  relative: `left(p.relative_path || '/' || given.name, 4096)`,
  logical: `left(p.path || '/' || given.name, 4096)`,
};

const CHANGED = `d.content_hash is distinct from excluded.content_hash`;
const MADE_OF_CONTENT = OBJECT_COLUMNS.filter((column) => column !== 'original_object');

const UPSERT = `insert into ingestion.document as d (group_id, parent_id, carrier_id, depth, root_code, entity_code,
    location_code, location_ancestors, code, name, relative_path, path, size, mtime, content_hash, original_object,
    settings_hash, status, reason)
  select $1, p.document_id, coalesce(p.carrier_id, p.document_id), p.depth + 1, p.root_code, p.entity_code,
    p.location_code, p.location_ancestors, given.code, given.name, ${PLACE.relative}, ${PLACE.logical},
    given.size, '', given.hash, given.object,
    given."settingsHash", given.status, given.reason
  from ingestion.document p cross join ${GIVEN}
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

export interface AttachmentParts {
  readonly database: Database;
  readonly tasks: Tasks;
  readonly facts: DocumentFacts;
  readonly settings: PipelineSettings;
  readonly discards: Discards;
  readonly earlier: EarlierVectorsStore;
}

/** The document that has other bytes now, or is worked on otherwise. */
const changed = (known: Known | undefined, now: { hash: string; settingsHash: string }): string[] =>
  known === undefined || (known.contentHash === now.hash && known.settingsHash === now.settingsHash)
    ? []
    : [known.documentId];

/** Files inside files as documents of their own: they come, change, move and go with the document that carries them. */
export class AttachmentStore {
  constructor(private readonly parts: AttachmentParts) {}

  /**
   * Makes what a document carries the documents that it has, in short transactions. May be repeated; what is equal to
   * what is there costs nothing. @throws CarriesTooMuch for more of them than one file may carry.
   */
  async sync(scope: TenantScope, carrier: Carrier, found: readonly KeptAttachment[]): Promise<void> {
    const known = await this.knownOf(scope, carrier);
    const there = new Map(known.map((each) => [each.name, each]));
    await this.assertRoom(scope, carrier, found.filter(({ name }) => !there.has(name)).length);
    for (let from = 0; from < found.length; from += BATCH)
      await this.write(scope, carrier, found.slice(from, from + BATCH), there);
    const names = new Set(found.map(({ name }) => name));
    const gone = known.filter(({ name }) => !names.has(name)).map(({ documentId }) => documentId);
    if (gone.length > 0)
      await this.parts.database.write(scope, async (tx) => {
        if (await this.isOurs(tx, carrier)) await this.miss(tx, gone, true);
      });
  }

  /** Takes out of search what documents carry, at any depth, and with `themselves` the documents too. */
  async miss(tx: Transaction, documentIds: readonly string[], themselves = false): Promise<void> {
    const rows = await tx.query<{ documentId: string }>(
      `with recursive gone as (
         select document_id, parent_id from ingestion.document
         where group_id = $1 and case when $3::boolean then document_id else parent_id end = any($2::uuid[])
         union all
         select c.document_id, c.parent_id from ingestion.document c join gone on c.parent_id = gone.document_id
         where c.group_id = $1)
       update ingestion.document d set status = 'NO_ENCONTRADO', reason = null, retry_on_scan = false, updated_at = now()
       from gone where d.group_id = $1 and d.document_id = gone.document_id and d.status <> 'NO_ENCONTRADO'
         and d.deleted_at is null
       returning d.document_id as "documentId"`,
      [tx.groupId, documentIds, themselves],
    );
    const ids = rows.map(({ documentId }) => documentId);
    for (const id of ids) await this.parts.tasks.withdraw(tx, id);
    await this.parts.facts.withdraw(tx, ids);
  }

  /** What a document carries, at any depth. */
  async carriedBy(tx: Transaction, documentId: string): Promise<string[]> {
    const rows = await tx.query<{ documentId: string }>(
      `with recursive carried as (
         select document_id from ingestion.document where group_id = $1 and parent_id = $2
         union all
         select c.document_id from ingestion.document c join carried on c.parent_id = carried.document_id
         where c.group_id = $1)
       select document_id as "documentId" from carried`,
      [tx.groupId, documentId],
    );
    return rows.map((row) => row.documentId);
  }

  /** Puts what documents carry where they are now, at any depth; answers what that moved. */
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

  private knownOf(scope: TenantScope, { documentId }: Carrier): Promise<Known[]> {
    return this.parts.database.read(scope, (tx) =>
      tx.query<Known>(
        `select document_id as "documentId", code, name, content_hash as "contentHash",
           settings_hash as "settingsHash" from ingestion.document where group_id = $1 and parent_id = $2`,
        [scope.groupId, documentId],
      ),
    );
  }

  private async assertRoom(scope: TenantScope, { documentId }: Carrier, more: number): Promise<void> {
    if (more === 0) return;
    const [row] = await this.parts.database.read(scope, (tx) =>
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
    found: readonly KeptAttachment[],
    there: ReadonlyMap<string, Known>,
  ): Promise<void> {
    const { discards, earlier } = this.parts;
    return this.parts.database.write(scope, async (tx) => {
      if (!(await this.isOurs(tx, carrier))) return;
      const depth = await this.depthBelow(tx, carrier);
      let next = await takeNumbers(tx, 'document', found.filter(({ name }) => !there.has(name)).length);
      const rows = found.map((each) => ({
        ...each,
        ...attachmentBeginning(this.parts.settings, each.name, depth),
        code: there.get(each.name)?.code ?? `D${next++}`,
        settingsHash: settingsHash(this.parts.settings, each.name),
      }));
      const changing = rows.flatMap(({ name, ...now }) => changed(there.get(name), now));
      await discards.replaceAll(tx, await earlier.keep(tx, changing));
      const { documentId, generation } = carrier;
      const written = await tx.query<Written>(UPSERT, [tx.groupId, documentId, generation, JSON.stringify(rows)]);
      await discards.release(
        tx,
        written.filter(({ contentHash }) => contentHash !== null),
        null,
      );
      await this.begin(tx, written);
    });
  }

  /** Sets new and changed ones going; those that are not read leave search. */
  private async begin(tx: Transaction, written: readonly Written[]): Promise<void> {
    for (const { documentId: subjectId, generation, status } of written) {
      await this.parts.tasks.withdraw(tx, subjectId);
      if (status === 'ADQUIRIDO') await this.parts.tasks.enqueue(tx, { subjectId, stage: EXTRACT.name, generation });
    }
    const unread = written.filter(({ status }) => status !== 'ADQUIRIDO').map(({ documentId }) => documentId);
    if (unread.length === 0) return;
    await this.parts.facts.withdraw(tx, unread);
    await this.miss(tx, unread);
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
