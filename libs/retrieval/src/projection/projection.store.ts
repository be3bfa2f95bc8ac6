import { Injectable } from '@nestjs/common';
import type { DocumentDescribed } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

const COLUMNS = [
  'code',
  'name',
  'title',
  'summary',
  'entity_code',
  'location_code',
  'location_ancestors',
  'home_var',
  'relative_path',
  'path',
  'origin',
  'type_codes',
  'attribute_codes',
  'characteristic_codes',
] as const;
/** Programs of an earlier release publish none: what is known stays. Others publish all; language and address may be null. */
const OPTIONAL_COLUMNS = ['language', 'changed_at', 'url'] as const;

/** The transaction that stores a fact: refreshes of spaces compare it with the snapshot that they read. */
const NOTED_IN = 'pg_current_xact_id()';

const isList = (name: string): boolean => name === 'location_ancestors' || name.endsWith('_codes');
const COLUMN_TYPES = COLUMNS.map((name) => `${name} ${isList(name) ? 'text[]' : 'text'}`).join(', ');

const STORED = [...COLUMNS, ...OPTIONAL_COLUMNS].join(', ');
const REPLACED = [
  ...COLUMNS.map((name) => `${name} = excluded.${name}`),
  ...OPTIONAL_COLUMNS.map(
    (name) => `${name} = case when excluded.changed_at is null then d.${name} else excluded.${name} end`,
  ),
].join(', ');

/** Documents as events describe them. Only events write them; the later revision wins. */
@Injectable()
export class ProjectionStore {
  /** Stores a description, unless a later one is stored. Returns whether it was stored. */
  async describe(tx: Transaction, fact: DocumentDescribed): Promise<boolean> {
    return (await this.describeAll(tx, [fact])).length > 0;
  }

  /** Stores descriptions of different documents by one statement. Returns the documents whose description was stored. */
  async describeAll(tx: Transaction, facts: readonly DocumentDescribed[]): Promise<readonly string[]> {
    const descriptions = facts.map((fact) => ({
      document_id: fact.documentId,
      revision: fact.revision,
      code: fact.code,
      name: fact.name,
      title: fact.title,
      summary: fact.summary,
      entity_code: fact.entityCode,
      location_code: fact.locationCode,
      location_ancestors: fact.locationAncestors,
      home_var: fact.homeVar,
      relative_path: fact.relativePath,
      path: fact.path,
      origin: fact.origin,
      // Programs of the last release publish no codes.
      type_codes: fact.typeCodes ?? [],
      attribute_codes: fact.attributes ?? [],
      characteristic_codes: fact.characteristics ?? [],
      language: fact.language ?? null,
      changed_at: fact.changedAt ?? null,
      url: fact.url ?? null,
    }));
    const rows = await tx.prepared<{ documentId: string }>(
      `insert into retrieval.document as d (group_id, document_id, revision, withdrawn, noted_in, ${STORED})
       select $1, document_id, revision, false, ${NOTED_IN}, ${STORED}
       from jsonb_to_recordset($2::jsonb) as f (document_id uuid, revision int, ${COLUMN_TYPES}, language text,
         changed_at timestamptz, url text)
       on conflict (group_id, document_id) do update
         set revision = excluded.revision, withdrawn = false, noted_in = excluded.noted_in, ${REPLACED}
         where d.revision < excluded.revision
       returning document_id as "documentId"`,
      [tx.groupId, JSON.stringify(descriptions)],
    );
    return rows.map(({ documentId }) => documentId);
  }

  /** Withdraws a document; its row stays, so that no older event restores it. */
  async withdraw(tx: Transaction, documentId: string, revision: number): Promise<boolean> {
    const rows = await tx.query(
      `insert into retrieval.document as d (group_id, document_id, revision, withdrawn, code, name, summary, entity_code,
         location_code, location_ancestors, relative_path, path, origin, noted_in)
       values ($1, $2::uuid, $3, true, $2::uuid::text, '', '', '', '', '{}', '', '', 'CARPETA', ${NOTED_IN})
       on conflict (group_id, document_id) do update
         set revision = excluded.revision, withdrawn = true, noted_in = excluded.noted_in
         where d.revision < excluded.revision
       returning revision`,
      [tx.groupId, documentId, revision],
    );
    if (rows.length === 0) return false;
    await tx.query(`delete from retrieval.live where group_id = $1 and document_id = $2`, [tx.groupId, documentId]);
    return true;
  }

  /** The columns that copies of chunks repeat, as one text for each document; unknown documents are left out. */
  async copiedColumns(tx: Transaction, documentIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await tx.prepared<{ documentId: string; copied: string }>(
      `select document_id as "documentId", json_build_array(withdrawn, entity_code, location_ancestors, type_codes,
         attribute_codes, characteristic_codes)::text as copied
       from retrieval.document where group_id = $1 and document_id = any($2::uuid[])`,
      [tx.groupId, documentIds],
    );
    return new Map(rows.map(({ documentId, copied }) => [documentId, copied]));
  }

  /** The revisions of known documents. */
  async revisions(tx: Transaction, documentIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await tx.prepared<{ documentId: string; revision: number }>(
      `select document_id as "documentId", revision from retrieval.document
       where group_id = $1 and document_id = any($2::uuid[])`,
      [tx.groupId, documentIds],
    );
    return new Map(rows.map(({ documentId, revision }) => [documentId, revision]));
  }

  /**
   * Those documents that may become live: they are known and not withdrawn. Locks their rows until the end of the
   * transaction.
   */
  async admitted(tx: Transaction, documentIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await tx.prepared<{ documentId: string }>(
      `select document_id as "documentId" from retrieval.document
       where group_id = $1 and document_id = any($2::uuid[]) and not withdrawn order by document_id for update`,
      [tx.groupId, documentIds],
    );
    return new Set(rows.map(({ documentId }) => documentId));
  }
}
