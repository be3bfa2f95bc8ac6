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
] as const;

/** Documents as events describe them. Only events write them; the later revision wins. */
@Injectable()
export class ProjectionStore {
  /** Stores a description, unless a later one is stored. Returns whether it was stored. */
  async describe(tx: Transaction, fact: DocumentDescribed): Promise<boolean> {
    const values = [
      fact.code,
      fact.name,
      fact.title,
      fact.summary,
      fact.entityCode,
      fact.locationCode,
      fact.locationAncestors,
      fact.homeVar,
      fact.relativePath,
      fact.path,
      fact.origin,
    ];
    const rows = await tx.prepared(
      `insert into retrieval.document as d (group_id, document_id, revision, withdrawn, ${COLUMNS.join(', ')})
       values ($1, $2, $3, false, ${COLUMNS.map((_, index) => `$${index + 4}`).join(', ')})
       on conflict (group_id, document_id) do update
         set revision = excluded.revision, withdrawn = false, ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
         where d.revision < excluded.revision
       returning revision`,
      [tx.groupId, fact.documentId, fact.revision, ...values],
    );
    return rows.length > 0;
  }

  /** Withdraws a document; its row stays, so that no older event restores it. */
  async withdraw(tx: Transaction, documentId: string, revision: number): Promise<boolean> {
    const rows = await tx.query(
      `insert into retrieval.document as d (group_id, document_id, revision, withdrawn, code, name, summary, entity_code,
         location_code, location_ancestors, relative_path, path, origin)
       values ($1, $2::uuid, $3, true, $2::uuid::text, '', '', '', '', '{}', '', '', 'CARPETA')
       on conflict (group_id, document_id) do update set revision = excluded.revision, withdrawn = true
         where d.revision < excluded.revision
       returning revision`,
      [tx.groupId, documentId, revision],
    );
    if (rows.length === 0) return false;
    await tx.query(`delete from retrieval.live where group_id = $1 and document_id = $2`, [tx.groupId, documentId]);
    return true;
  }

  /** The columns that decide who sees a document, as one text; undefined for an unknown document. */
  async placeOf(tx: Transaction, documentId: string): Promise<string | undefined> {
    const [row] = await tx.prepared<{ place: string }>(
      `select json_build_array(withdrawn, entity_code, location_ancestors)::text as place from retrieval.document
       where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId],
    );
    return row?.place;
  }

  async revision(tx: Transaction, documentId: string): Promise<number | undefined> {
    const [row] = await tx.prepared<{ revision: number }>(
      `select revision from retrieval.document where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId],
    );
    return row?.revision;
  }

  /**
   * Whether a document may become live: it is known and not withdrawn. Locks its row until the end of the transaction.
   */
  async admits(tx: Transaction, documentId: string): Promise<boolean> {
    const rows = await tx.prepared(
      `select from retrieval.document where group_id = $1 and document_id = $2 and not withdrawn for update`,
      [tx.groupId, documentId],
    );
    return rows.length > 0;
  }
}
