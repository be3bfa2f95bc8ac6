import { Injectable } from '@nestjs/common';
import {
  documentDescribed,
  type DocumentDescribed,
  documentEmbedded,
  documentPrepared,
  documentWithdrawn,
  type EmbeddingModelKey,
} from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { isUrgent, type Lease } from '@acervo/platform-queue';
import type { Vectored } from '../embedding/vector-backlog';

/** Prefix of the environment variable that names a root on a reader's machine. */
export const HOME_PREFIX = 'ACERVO_HOME_';

type Description = Omit<DocumentDescribed, 'origin'>;

/** The columns of a description, for `select` and `returning` on `ingestion.document d`. */
export const DESCRIPTION = `d.document_id as "documentId", d.revision, d.code, d.name, d.title, coalesce(d.summary, '') as summary,
  d.entity_code as "entityCode", d.location_code as "locationCode", d.location_ancestors as "locationAncestors",
  '${HOME_PREFIX}' || d.root_code as "homeVar", d.relative_path as "relativePath", d.path`;

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
export interface Vectorised {
  readonly documentId: string;
  readonly generation: number;
  readonly chunksObject: string | null;
}

interface Prepared extends Description {
  readonly generation: number;
  readonly chunksObject: string;
  readonly vectorsObject: string | null;
  readonly chunkCount: number;
  readonly embedding: EmbeddingModelKey;
}

/** Publishes events about documents; each takes the next revision of its document. */
@Injectable()
export class DocumentEvents {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Hands the current generation over, and answers its description; undefined when the document changed meanwhile. The
   * document keeps its state until retrieval answers.
   * @param searched the embedding index that searches use: vectors of another one are left out
   */
  async handOver(
    tx: Transaction,
    lease: Pick<Lease, 'subjectId' | 'generation' | 'priority'>,
    searched: EmbeddingModelKey,
  ): Promise<Vectored | undefined> {
    const [row] = await tx.prepared<Prepared>(
      `update ingestion.document d set revision = revision + 1, handed_over = revision + 1, updated_at = now(),
         vectors_object = case when ${sameModel('d.embedding', '$4::jsonb')} then d.vectors_object end, embedding = $4
       where group_id = $1 and document_id = $2 and generation = $3 and status = 'FRAGMENTADO'
       returning ${DESCRIPTION}, ${PREPARED}`,
      [tx.groupId, lease.subjectId, lease.generation, searched],
    );
    await this.prepared(tx, row, { urgent: isUrgent(lease) });
    return row;
  }

  /**
   * Hands over the vectors of a generation that is handed over already, answered or not. For another embedding index
   * than that of its hand-over, the words are handed over once more.
   */
  async handOverVectors(
    tx: Transaction,
    { documentId, generation, chunksObject }: Vectorised,
    { vectorsObject, embedding, vectorsVersion = null }: HandedVectors,
    urgent: boolean,
  ): Promise<void> {
    const [row] = await tx.prepared<Prepared & { readonly isSame: boolean | null }>(
      `update ingestion.document d set revision = revision + 1, vectors_object = $4, embedding = $5,
         vectors_version = coalesce($6, vectors_version)
       where group_id = $1 and document_id = $2 and generation = $3 and handed_over is not null
         and chunks_object = $7 and status in ('FRAGMENTADO', 'VECTORIZADO')
       returning ${DESCRIPTION}, ${PREPARED}, ${sameModel('old.embedding', 'new.embedding')} as "isSame"`,
      [tx.groupId, documentId, generation, vectorsObject, embedding, vectorsVersion, chunksObject],
    );
    if (row === undefined) return;
    const { isSame, ...fact } = row;
    if (isSame !== true) return this.prepared(tx, fact, { urgent });
    const { revision, chunkCount } = fact;
    const vectors = { documentId, revision, generation, vectorsObject, chunkCount, embedding: [embedding], urgent };
    await this.outbox.append(tx, documentEmbedded, vectors);
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

  private async prepared(
    tx: Transaction,
    row: Prepared | undefined,
    how: { readonly anew?: true; readonly urgent?: boolean } = {},
  ): Promise<void> {
    if (row === undefined) return;
    const { embedding, ...fact } = row;
    await this.outbox.append(tx, documentPrepared, { ...fact, origin: 'CARPETA', embedding: [embedding], ...how });
  }

  /** Publishes the name and place of documents that retrieval knows. */
  async describe(tx: Transaction, documentIds: readonly string[]): Promise<void> {
    const rows = await tx.query<Description>(
      `update ingestion.document d set revision = revision + 1
       where group_id = $1 and document_id = any($2::uuid[]) and handed_over is not null returning ${DESCRIPTION}`,
      [tx.groupId, documentIds],
    );
    for (const row of rows) await this.outbox.append(tx, documentDescribed, { ...row, origin: 'CARPETA' });
  }

  /**
   * Withdraws a document that retrieval should not have, with a revision above `toldRevision`. The document may be
   * unknown to ingestion.
   */
  async takeOut(tx: Transaction, documentId: string, toldRevision: number): Promise<boolean> {
    const rows = await tx.query<{ revision: number; gone: boolean }>(
      `select revision, deleted_at is not null or status = 'NO_ENCONTRADO' or handed_over is null as gone
       from ingestion.document where group_id = $1 and document_id = $2 for update`,
      [tx.groupId, documentId],
    );
    if (rows[0]?.gone === false) return false;
    const revision = Math.max(rows[0]?.revision ?? 0, toldRevision) + 1;
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
}
