import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { type Classification, NO_CODES } from './classification';
import { NO_TYPE } from './classified';
import { ClassificationBacklog } from '../taxonomy/classification-backlog';

/** A classification, and the document that it is about. */
export interface ClassifiedDocument {
  readonly documentId: string;
  readonly classification: Classification;
  /** The text that was classified, where another text of the same content would not do. */
  readonly textObject?: string;
}

/** Of a document that goes through its steps while its group describes no types. */
export const unclassified = (contentHash: string, taxonomyVersion: number): Classification => ({
  ...{ taxonomyVersion, hasTypes: false, contentHash, decision: NO_TYPE },
  ...{ features: [], candidates: [], awaitsVector: false, codes: NO_CODES },
});

interface Written {
  readonly documentId: string;
  readonly isNew: boolean;
  readonly isChanged: boolean;
}

const REPLACE = `insert into ingestion.document_class as c (group_id, document_id, content_hash, taxonomy_version, type_code,
    source, score, margin, runner_up, evidence, awaits_vector, codes, candidates)
  select $1::uuid, id, hash, version, "typeCode", source, score, margin, "runnerUp", evidence, awaits, codes,
    array(select jsonb_array_elements_text(candidates))
  from jsonb_to_recordset($2::jsonb) as given (id uuid, hash text, version bigint, "typeCode" text, source text,
    score float8, margin float8, "runnerUp" text, evidence jsonb, awaits boolean, codes jsonb, candidates jsonb)
  on conflict (group_id, document_id) do update set content_hash = excluded.content_hash,
    taxonomy_version = excluded.taxonomy_version, type_code = excluded.type_code, source = excluded.source,
    score = excluded.score, margin = excluded.margin, runner_up = excluded.runner_up, evidence = excluded.evidence,
    awaits_vector = excluded.awaits_vector, codes = excluded.codes, candidates = excluded.candidates,
    classified_at = now()
  where c.taxonomy_version <= excluded.taxonomy_version or c.content_hash <> excluded.content_hash
  returning c.document_id as "documentId", old.document_id is null as "isNew",
    coalesce(old.codes, $3::jsonb) is distinct from new.codes as "isChanged"`;

const rowOf = ({ documentId: id, classification }: ClassifiedDocument): object => {
  const {
    taxonomyVersion: version,
    contentHash: hash,
    decision,
    awaitsVector: awaits,
    codes,
    candidates,
  } = classification;
  return { ...decision, ...{ id, version, hash, awaits, codes, candidates } };
};

/** What documents are, and what was found in them. */
@Injectable()
export class ClassificationStore {
  constructor(private readonly backlog: ClassificationBacklog) {}

  /**
   * Replaces types and features of documents, in at most three statements; one of an older version leaves what is there.
   * The rows of the documents must be locked. Answers the documents whose published codes changed.
   */
  async replace(tx: Transaction, documents: readonly ClassifiedDocument[]): Promise<readonly string[]> {
    if (documents.length === 0) return [];
    const rows = await tx.prepared<Written>(REPLACE, [
      tx.groupId,
      JSON.stringify(documents.map(rowOf)),
      JSON.stringify(NO_CODES),
    ]);
    await this.forgetFeatures(
      tx,
      rows.filter(({ isNew }) => !isNew).map(({ documentId }) => documentId),
    );
    const written = new Set(rows.map(({ documentId }) => documentId));
    await this.addFeatures(
      tx,
      documents.filter(({ documentId }) => written.has(documentId)),
    );
    return rows.filter(({ isChanged }) => isChanged).map(({ documentId }) => documentId);
  }

  /**
   * Stores the outcomes of the step, and schedules another look at documents that were classified at an older version
   * than the present one. The taxonomy keeps its version until the end of the transaction.
   */
  async keep(tx: Transaction, documents: readonly ClassifiedDocument[]): Promise<boolean> {
    if (documents.length === 0) return false;
    const version = await this.lockVersion(tx);
    if (version === null) return false;
    const isStale = ({ classification }: ClassifiedDocument): boolean => classification.taxonomyVersion < version;
    await this.replace(
      tx,
      documents.filter((document) => document.classification.hasTypes || isStale(document)),
    );
    const isDue = documents.some((document) => document.classification.awaitsVector || isStale(document));
    if (isDue) await this.backlog.enqueue(tx, 'stale');
    return isDue;
  }

  /** Locks documents that still have the content, and the text, of their classification; answers these. */
  async lockCurrent<D extends ClassifiedDocument>(tx: Transaction, documents: readonly D[]): Promise<readonly D[]> {
    const rows = await tx.prepared<{ documentId: string }>(
      `select d.document_id as "documentId" from ingestion.document d, unnest($2::uuid[], $3::text[], $4::text[]) as given (id, hash, text)
       where d.group_id = $1 and d.document_id = given.id and d.content_hash = given.hash and d.deleted_at is null
         and (given.text is null or d.text_object = given.text)
       order by d.document_id for no key update of d`,
      [
        tx.groupId,
        documents.map(({ documentId }) => documentId),
        documents.map(({ classification }) => classification.contentHash),
        documents.map(({ textObject = null }) => textObject),
      ],
    );
    const current = new Set(rows.map(({ documentId }) => documentId));
    return documents.filter(({ documentId }) => current.has(documentId));
  }

  /** Forgets what documents are. */
  async forget(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await this.forgetFeatures(tx, documentIds);
    await tx.query(`delete from ingestion.document_class where group_id = $1 and document_id = any($2::uuid[])`, [
      tx.groupId,
      documentIds,
    ]);
  }

  /** The version of the taxonomy, locked; null where the group never had one. */
  private async lockVersion(tx: Transaction): Promise<number | null> {
    const [row] = await tx.prepared<{ version: number }>(
      `select version::float8 as version from ingestion.taxonomy where group_id = $1 for share`,
      [tx.groupId],
    );
    return row?.version ?? null;
  }

  private async forgetFeatures(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await tx.prepared(`delete from ingestion.document_feature where group_id = $1 and document_id = any($2::uuid[])`, [
      tx.groupId,
      documentIds,
    ]);
  }

  private async addFeatures(tx: Transaction, documents: readonly ClassifiedDocument[]): Promise<void> {
    const rows = documents.flatMap(({ documentId: id, classification }) =>
      classification.features.map((feature) => ({ ...feature, id })),
    );
    if (rows.length === 0) return;
    await tx.prepared(
      `insert into ingestion.document_feature (group_id, document_id, category_code, code, value, source, confidence,
         page, start_at, end_at, quote)
       select $1::uuid, id, "categoryCode", code, value, source, confidence, page, "startAt", "endAt", quote
       from jsonb_to_recordset($2::jsonb) as given (id uuid, "categoryCode" text, code text, value text, source text,
         confidence float8, page int, "startAt" int, "endAt" int, quote text)
       on conflict do nothing`,
      [tx.groupId, JSON.stringify(rows)],
    );
  }
}
