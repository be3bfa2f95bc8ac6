import { Injectable } from '@nestjs/common';
import {
  documentClassified,
  documentDeleted,
  type DocumentDeleted,
  documentDescribed,
  type DocumentDescribed,
  documentEmbedded,
  type DocumentPrepared,
  documentPrepared,
  documentWithdrawn,
  type EmbeddingModelKey,
  HOME_PREFIX,
} from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { isUrgent, type Lease } from '@acervo/platform-queue';

/**
 * The path of the file on a disk that contains a document, within its root: a document inside a file has that of the
 * outermost file. Each level inside adds one name without a slash to the path of the document.
 */
export const FILE_PATH = `case when d.depth = 0 then d.relative_path
  else regexp_replace(d.relative_path, '(/[^/]*){' || d.depth || '}$', '') end`;

/** The codes of a document that travel with its events. */
export interface PublishedCodes {
  /** Its type behind all types above it. */
  readonly typeCodes: readonly string[];
  readonly attributes: readonly string[];
  readonly characteristics: readonly string[];
}

type Description = Omit<DocumentDescribed, keyof PublishedCodes> & {
  /** Null where it was never classified. */
  readonly codes: PublishedCodes | null;
};

/** The columns of a description, for `select` and `returning` on `ingestion.document d`. */
export const DESCRIPTION = `d.document_id as "documentId", d.revision, d.code, d.name, d.title, coalesce(d.summary, '') as summary,
  d.entity_code as "entityCode", d.location_code as "locationCode", d.location_ancestors as "locationAncestors",
  case when d.origin is null then '${HOME_PREFIX}' || d.root_code end as "homeVar", ${FILE_PATH} as "relativePath", d.path,
  coalesce(d.origin, 'CARPETA') as origin, d.url, d.language,
  to_char(d.content_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt",
  (select k.codes from ingestion.document_class k where k.group_id = d.group_id and k.document_id = d.document_id) as codes`;

const PREPARED = `d.generation, d.chunks_object as "chunksObject", d.vectors_object as "vectorsObject",
  d.chunk_count as "chunkCount", d.embedding`;

/** A condition: two descriptions of embedding models name the same one. */
const sameModel = (one: string, other: string): string =>
  `(${one}->>'model' = ${other}->>'model' and ${one}->>'revision' = ${other}->>'revision')`;

/** The vectors of a generation in one embedding index. */
export interface HandedVectors {
  readonly vectorsObject: string;
  readonly embedding: EmbeddingModelKey;
  readonly vectorsVersion?: number | null;
}

/** The chunks that vectors belong to. */
interface Vectorised {
  readonly documentId: string;
  readonly generation: number;
  readonly chunksObject: string | null;
}

/** Vectors that follow the hand-over of a document. */
export interface HandedOverLater {
  readonly document: Vectorised;
  readonly vectors: HandedVectors;
  readonly urgent: boolean;
  readonly trace?: string | null | undefined;
}

interface Prepared extends Description {
  readonly generation: number;
  readonly chunksObject: string;
  readonly vectorsObject: string | null;
  readonly chunkCount: number;
  readonly embedding: EmbeddingModelKey;
}

interface Manner {
  readonly anew?: true;
  readonly urgent?: boolean;
}

const factOf = ({ embedding, codes, ...fact }: Prepared, how: Manner): DocumentPrepared => ({
  ...fact,
  ...codes,
  embedding: [embedding],
  ...how,
});

const embeddedOf = ({ documentId, revision, generation, vectorsObject, chunkCount, embedding }: Prepared) => ({
  ...{ documentId, revision, generation, chunkCount },
  ...{ vectorsObject: vectorsObject ?? '', embedding: [embedding] },
});

/** The work that hands a document over. */
type HandedLease = Pick<Lease, 'subjectId' | 'generation' | 'priority' | 'trace'>;

/** The vectors that were handed over with a document. */
export interface Vectored {
  readonly vectorsObject: string | null;
  readonly embedding: EmbeddingModelKey;
}

/** A document as it was handed over. */
export interface Handed extends Vectored {
  readonly documentId: string;
  readonly generation: number;
}

/** Publishes events about documents; each takes the next revision of its document. */
@Injectable()
export class DocumentEvents {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Hands the current generations of documents over, and answers their descriptions; a document that changed meanwhile
   * is left out. The documents keep their state until retrieval answers. Their events have the order of the leases.
   * @param searched the embedding index that searches use: vectors of another one are left out
   */
  async handOver(
    tx: Transaction,
    leases: readonly HandedLease[],
    searched: EmbeddingModelKey,
  ): Promise<readonly Handed[]> {
    const rows = await tx.prepared<Prepared>(
      `update ingestion.document d set revision = revision + 1, handed_over = revision + 1, updated_at = now(),
         vectors_object = case when ${sameModel('d.embedding', '$4::jsonb')} then d.vectors_object end, embedding = $4
       from unnest($2::uuid[], $3::int[]) as given (id, made)
       where group_id = $1 and document_id = given.id and generation = given.made and status = 'FRAGMENTADO'
       returning ${DESCRIPTION}, ${PREPARED}`,
      [tx.groupId, leases.map(({ subjectId }) => subjectId), leases.map(({ generation }) => generation), searched],
    );
    const handed = new Map(rows.map((row) => [row.documentId, row]));
    const facts = leases.flatMap((lease) => {
      const row = handed.get(lease.subjectId);
      return row === undefined ? [] : [{ payload: factOf(row, { urgent: isUrgent(lease) }), trace: lease.trace }];
    });
    await this.outbox.appendAll(tx, documentPrepared, facts);
    await this.classified(tx, rows);
    return rows;
  }

  /**
   * Hands over the vectors of generations that are handed over already, answered or not; a document that changed
   * meanwhile is left out. For another embedding index than that of its hand-over, its words are handed over once more.
   */
  async handOverVectors(tx: Transaction, handed: readonly HandedOverLater[]): Promise<void> {
    if (handed.length === 0) return;
    const vectorRows = handed.map(({ document: { documentId: id, generation, chunksObject: chunks }, vectors }) => ({
      ...{ id, generation, chunks, vectors: vectors.vectorsObject },
      ...{ embedding: vectors.embedding, version: vectors.vectorsVersion ?? null },
    }));
    const rows = await tx.prepared<Prepared & { readonly isSame: boolean | null }>(
      `update ingestion.document d set revision = d.revision + 1, vectors_object = given.vectors,
         embedding = given.embedding, vectors_version = coalesce(given.version, d.vectors_version)
       from jsonb_to_recordset($2::jsonb)
         as given (id uuid, generation int, chunks text, vectors text, embedding jsonb, version int)
       where d.group_id = $1 and d.document_id = given.id and d.generation = given.generation
         and d.handed_over is not null and d.chunks_object = given.chunks and d.status in ('FRAGMENTADO', 'VECTORIZADO')
       returning ${DESCRIPTION}, ${PREPARED}, ${sameModel('old.embedding', 'new.embedding')} as "isSame"`,
      [tx.groupId, JSON.stringify(vectorRows)],
    );
    const written = new Map(rows.map((row) => [row.documentId, row]));
    const facts = handed.flatMap(({ document, urgent, trace }) => {
      const row = written.get(document.documentId);
      return row?.generation === document.generation ? [{ row, urgent, trace }] : [];
    });
    const [same, others] = [
      facts.filter(({ row }) => row.isSame === true),
      facts.filter(({ row }) => row.isSame !== true),
    ];
    await this.outbox.appendAll(
      tx,
      documentEmbedded,
      same.map(({ row, urgent, trace }) => ({ payload: { ...embeddedOf(row), urgent }, trace })),
    );
    await this.outbox.appendAll(
      tx,
      documentPrepared,
      others.map(({ row: { isSame: _, ...row }, urgent, trace }) => ({ payload: factOf(row, { urgent }), trace })),
    );
  }

  /** Hands searchable documents over again, to be indexed again: the next ones after an id; answers their ids. */
  async handOverAgain(tx: Transaction, after: string, most: number): Promise<readonly string[]> {
    const rows = await tx.query<Prepared>(
      `update ingestion.document d set revision = revision + 1, handed_over = revision + 1
       where group_id = $1 and document_id in (
         select document_id from ingestion.document where group_id = $1 and document_id > $2 and handed_over is not null
           and status in ('FRAGMENTADO', 'VECTORIZADO') and chunks_object is not null and embedding is not null
         order by document_id limit $3)
       returning ${DESCRIPTION}, ${PREPARED}`,
      [tx.groupId, after, most],
    );
    for (const row of rows) await this.prepared(tx, row, { anew: true });
    return rows.map(({ documentId }) => documentId).sort();
  }

  private async prepared(tx: Transaction, row: Prepared | undefined, how: Manner = {}): Promise<void> {
    if (row !== undefined) await this.outbox.append(tx, documentPrepared, factOf(row, how));
  }

  /** Publishes name, place, type and features of documents that retrieval knows. */
  async describe(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    const rows = await tx.query<Description>(
      `update ingestion.document d set revision = revision + 1
       where group_id = $1 and document_id = any($2::uuid[]) and handed_over is not null returning ${DESCRIPTION}`,
      [tx.groupId, documentIds],
    );
    await this.outbox.appendAll(
      tx,
      documentDescribed,
      rows.map(({ codes, ...row }) => ({ payload: { ...row, ...codes } })),
    );
    await this.classified(tx, rows);
  }

  /** Publishes which of some documents have a type. Said again of a document, it changes nothing. */
  private async classified(tx: Transaction, rows: readonly Description[]): Promise<void> {
    const facts = rows.flatMap(({ documentId, code, entityCode, codes }) => {
      const typeCodes = codes?.typeCodes ?? [];
      return typeCodes.length === 0 ? [] : [{ payload: { documentId, code, entityCode, typeCodes } }];
    });
    if (facts.length > 0) await this.outbox.appendAll(tx, documentClassified, facts);
  }

  /**
   * Withdraws a document that retrieval should not have, with a revision above `publishedRevision`. The document may be
   * unknown to ingestion.
   */
  async takeOut(tx: Transaction, documentId: string, publishedRevision: number): Promise<boolean> {
    const rows = await tx.query<{ revision: number; gone: boolean }>(
      `select revision, deleted_at is not null or status = 'NO_ENCONTRADO' or handed_over is null as gone
       from ingestion.document where group_id = $1 and document_id = $2 for update`,
      [tx.groupId, documentId],
    );
    if (rows[0]?.gone === false) return false;
    const revision = Math.max(rows[0]?.revision ?? 0, publishedRevision) + 1;
    await tx.query(
      `update ingestion.document set revision = $3, handed_over = null, indexed_chunks = null, indexed_generation = null
       where group_id = $1 and document_id = $2`,
      [tx.groupId, documentId, revision],
    );
    await this.outbox.append(tx, documentWithdrawn, { documentId, revision });
    return true;
  }

  /** Withdraws documents that retrieval knows from search at once. */
  async withdraw(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    const rows = await tx.query<{ documentId: string; revision: number }>(
      `update ingestion.document d set revision = revision + 1, handed_over = null, indexed_chunks = null, indexed_generation = null
       where group_id = $1 and document_id = any($2::uuid[]) and handed_over is not null
       returning d.document_id as "documentId", d.revision`,
      [tx.groupId, documentIds],
    );
    for (const row of rows) await this.outbox.append(tx, documentWithdrawn, row);
  }

  /** Publishes that the content of documents is gone, also of those that retrieval never knew. */
  deleted(tx: Transaction, documents: readonly DocumentDeleted[]): Promise<void> {
    return this.outbox.appendAll(
      tx,
      documentDeleted,
      documents.map((payload) => ({ payload })),
    );
  }
}
