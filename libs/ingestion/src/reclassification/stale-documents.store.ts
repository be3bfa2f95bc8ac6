import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { FOUND, type FoundBySkill } from '../classification/model-findings';
import { pipelineOrder } from '../pipeline/pipeline-table';
import { QUOTA } from '../kernel/stages';
import { work } from '../kernel/work-sql';

/** A document as the background classifies it. */
export interface ClassifiableRow {
  readonly documentId: string;
  readonly name: string;
  readonly path: string;
  readonly entityCode: string;
  readonly language: string | null;
  readonly title: string | null;
  readonly contentHash: string;
  readonly textObject: string;
  /** Whether it has a text, and no step is about to classify it. */
  readonly isEligible: boolean;
  /** Of the classification of its present content; null before the first. */
  readonly version: number | null;
  /** Whether it has a classification, of its present content or an earlier one. */
  readonly isClassified: boolean;
  readonly awaitsVector: boolean;
  /** Its type behind all types above it, when it was classified. */
  readonly typeCodes: readonly string[];
  /** The types that were left to a model. */
  readonly candidates: readonly string[];
  readonly found: FoundBySkill | null;
}

/** What a version of the taxonomy changed: the features of one type, or, without one, the types themselves. */
export interface TaxonomyChange {
  readonly version: number;
  readonly typeCode: string | null;
}

/** Documents in the middle of their first steps are classified by the step. */
const ELIGIBLE = `(d.deleted_at is null and d.text_object is not null and d.content_hash is not null
  and d.status not in ('DETECTADO', 'ADQUIRIDO', 'EXTRAIDO'))`;

const COLUMNS = `d.document_id as "documentId", d.name, d.path, d.entity_code as "entityCode", d.language, d.title,
  d.content_hash as "contentHash", d.text_object as "textObject", coalesce(${ELIGIBLE}, false) as "isEligible",
  case when c.content_hash = d.content_hash then c.taxonomy_version::float8 end as version,
  c.document_id is not null as "isClassified", coalesce(c.awaits_vector, false) as "awaitsVector",
  array(select jsonb_array_elements_text(c.codes -> 'typeCodes')) as "typeCodes",
  coalesce(c.candidates, '{}') as candidates, ${FOUND} as found`;

const STALE = `from ingestion.document_class c
  join ingestion.document d on d.group_id = c.group_id and d.document_id = c.document_id
  where c.group_id = $1 and c.taxonomy_version < $2 and ${ELIGIBLE}`;
const AWAITING = `from ingestion.document_class c
  join ingestion.document d on d.group_id = c.group_id and d.document_id = c.document_id
  where c.group_id = $1 and c.awaits_vector and ${ELIGIBLE}`;

/** Finds documents whose classification is not that of the present taxonomy. Each query looks at few rows. */
@Injectable()
export class StaleDocumentsStore {
  /** The version of the taxonomy; 0 where the group never had one. */
  async version(tx: Transaction): Promise<number> {
    const [row] = await tx.prepared<{ version: number }>(
      `select version::float8 as version from ingestion.taxonomy where group_id = $1`,
      [tx.groupId],
    );
    return row?.version ?? 0;
  }

  /** Documents classified before this version, those of the earliest first. */
  stale(tx: Transaction, version: number, limit: number): Promise<ClassifiableRow[]> {
    return tx.prepared<ClassifiableRow>(
      `select ${COLUMNS} ${STALE} order by c.taxonomy_version, c.document_id limit $3`,
      [tx.groupId, version, limit],
    );
  }

  /** Documents that wait for a vector, after this one. */
  awaiting(tx: Transaction, after: string, limit: number): Promise<ClassifiableRow[]> {
    return tx.prepared<ClassifiableRow>(
      `select ${COLUMNS} ${AWAITING} and c.document_id > $2 order by c.document_id limit $3`,
      [tx.groupId, after, limit],
    );
  }

  /** All documents after this one, also those that are not eligible. */
  every(tx: Transaction, after: string, limit: number): Promise<ClassifiableRow[]> {
    return tx.prepared<ClassifiableRow>(
      `select ${COLUMNS}
       from (select * from ingestion.document where group_id = $1 and document_id > $2
         order by document_id limit $3) d
       left join ingestion.document_class c on c.group_id = $1 and c.document_id = d.document_id
       order by d.document_id`,
      [tx.groupId, after, limit],
    );
  }

  /** A document as it is now; undefined once it is deleted. */
  async one(tx: Transaction, documentId: string): Promise<ClassifiableRow | undefined> {
    const [row] = await tx.prepared<ClassifiableRow>(
      `select ${COLUMNS} from ingestion.document d
       left join ingestion.document_class c on c.group_id = d.group_id and c.document_id = d.document_id
       where d.group_id = $1 and d.document_id = $2 and d.deleted_at is null`,
      [tx.groupId, documentId],
    );
    return row;
  }

  /** What changed after a version, in order. */
  changes(tx: Transaction, after: number): Promise<TaxonomyChange[]> {
    return tx.prepared<TaxonomyChange>(
      `select version::float8 as version, type_code as "typeCode" from ingestion.taxonomy_change
       where group_id = $1 and version > $2 order by version`,
      [tx.groupId, after],
    );
  }

  /** Whether documents are left that were classified before this version, or that wait for a vector. */
  async left(tx: Transaction, version: number): Promise<{ readonly stale: boolean; readonly awaiting: boolean }> {
    const [row] = await tx.prepared<{ stale: boolean; awaiting: boolean }>(
      `select exists (select ${STALE}) as stale, exists (select ${AWAITING}) as awaiting`,
      [tx.groupId, version],
    );
    return row ?? { stale: false, awaiting: false };
  }

  /**
   * Raises documents to a version that did not concern them. A step may have classified a document since it was read,
   * with another content or type: such a document stays, and is still stale.
   */
  async raise(tx: Transaction, documents: readonly ClassifiableRow[], version: number): Promise<void> {
    await tx.prepared(
      `update ingestion.document_class c set taxonomy_version = $5
       from unnest($2::uuid[], $3::bigint[], $4::text[]) as given (id, version, hash)
       where c.group_id = $1 and c.document_id = given.id and c.taxonomy_version = given.version
         and c.content_hash = given.hash`,
      [
        tx.groupId,
        documents.map(({ documentId }) => documentId),
        documents.map((row) => row.version),
        documents.map(({ contentHash }) => contentHash),
        version,
      ],
    );
  }

  /** Forgets what versions changed that no document is behind. */
  async forgetChanges(tx: Transaction, through: number): Promise<void> {
    await tx.prepared(`delete from ingestion.taxonomy_change where group_id = $1 and version <= $2`, [
      tx.groupId,
      through,
    ]);
  }

  /** Whether a document waits for one of its steps. */
  async documentsWait(tx: Transaction): Promise<boolean> {
    const [row] = await tx.prepared<{ waits: boolean }>(
      `select ${work.hasOpen({ group: '$1', stages: pipelineOrder.stages, exceptReason: QUOTA })} as waits`,
      [tx.groupId],
    );
    return row?.waits === true;
  }
}
