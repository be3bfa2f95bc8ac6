import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { OBJECT_COLUMNS } from './object-garbage-collector';

/** The objects of a document before its change are needed until it is embedded again. */
const EARLIER_NEEDED = `exists (select from ingestion.earlier_vectors e where e.group_id = $1
    and e.chunks_object = object)
  or exists (select from ingestion.earlier_vectors e where e.group_id = $1 and e.vectors_object = object)`;

/** Of the last answer of a site, the document is made again when it is worked again. */
const PAGE_NEEDED = `exists (select from ingestion.web_page w where w.group_id = $1 and w.object = given.object)`;

/** Documents, results of the same content, and results of carriers share objects, so only these are checked. */
const NEEDED = `select object from unnest($2::text[]) as given (object) where
  exists (select from ingestion.document d where d.group_id = $1 and d.content_hash = any($3::text[])
    and object in (${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}))
  or ${EARLIER_NEEDED}
  or ${PAGE_NEEDED}
  or exists (select from ingestion.step_result r, jsonb_each_text(r.value) as named
    where r.group_id = $1 and r.content_hash = any($3::text[]) and named.value = object)
  or exists (select from ingestion.step_result r where r.group_id = $1 and r.value -> 'attachments' <> '[]'::jsonb
    and r.value -> 'attachments' @> jsonb_build_array(jsonb_build_object('object', object)))`;

/** The same without a content hash. It scans every row, so callers pass few objects. */
const NEEDED_ANYWHERE = `select object from unnest($2::text[]) as given (object) where
  exists (select from ingestion.document d where d.group_id = $1
    and object in (${OBJECT_COLUMNS.map((column) => `d.${column}`).join(', ')}))
  or ${EARLIER_NEEDED}
  or ${PAGE_NEEDED}
  or exists (select from ingestion.step_result r, jsonb_each_text(r.value) as named
    where r.group_id = $1 and named.value = object)
  or exists (select from ingestion.step_result r where r.group_id = $1 and r.value -> 'attachments' <> '[]'::jsonb
    and r.value -> 'attachments' @> jsonb_build_array(jsonb_build_object('object', object)))`;

interface NeededObject {
  readonly object: string;
}

/** Which objects documents and results name. */
@Injectable()
export class NeededObjectsStore {
  /** Those of the keys that a row names; `hashes` are the contents that the objects were made of. */
  async among(tx: Transaction, keys: readonly string[], hashes: readonly string[]): Promise<string[]> {
    const rows = await tx.query<NeededObject>(NEEDED, [tx.groupId, keys, hashes]);
    return rows.map(({ object }) => object);
  }

  /** Those of the keys that any row names. */
  async anywhere(tx: Transaction, keys: readonly string[]): Promise<string[]> {
    const rows = await tx.query<NeededObject>(NEEDED_ANYWHERE, [tx.groupId, keys]);
    return rows.map(({ object }) => object);
  }
}
