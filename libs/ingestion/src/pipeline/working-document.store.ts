import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import type { EmbeddingModel } from '@acervo/models';
import type { DocumentStatus } from '@acervo/public-mapping';
import { EARLIER, type EarlierVectors } from '../embedding/earlier-vectors.store';

/** A document as a step sees it. */
export interface WorkingDocument {
  readonly documentId: string;
  readonly generation: number;
  readonly status: DocumentStatus;
  readonly name: string;
  readonly rootPath: string;
  readonly relativePath: string;
  readonly contentHash: string | null;
  readonly originalObject: string | null;
  readonly textObject: string | null;
  readonly chunksObject: string | null;
  /** The vectors of the chunks in `chunksObject`. */
  readonly vectorsObject: string | null;
  readonly earlier: EarlierVectors | null;
  /** Whether its last extraction found attachments. */
  readonly isCarrier: boolean;
  /** From 1, worked first, to 9. */
  readonly order: number;
}

/** A column that an earlier step must have filled. */
export const filled = (value: string | null): string => {
  if (value === null) throw new Error('An earlier step left nothing to work on.');
  return value;
};

/** The columns that a step changes. */
export interface DocumentPatch {
  readonly contentHash?: string;
  readonly size?: number;
  readonly mtime?: string;
  readonly originalObject?: string;
  readonly textObject?: string;
  readonly title?: string | null;
  readonly author?: string | null;
  /** The date of the last change that the file states: ISO 8601 in UTC. */
  readonly statedAt?: string | null;
  readonly language?: string | null;
  readonly pages?: number;
  readonly summary?: string;
  readonly chunksObject?: string;
  readonly chunkCount?: number;
  readonly chunksDigest?: string | null;
  readonly vectorsObject?: string | null;
  readonly embedding?: EmbeddingModel;
  readonly vectorsVersion?: number | null;
}

/** The columns that steps write, by property. */
const COLUMNS: Readonly<Record<keyof DocumentPatch, string>> = {
  contentHash: 'content_hash',
  size: 'size',
  mtime: 'mtime',
  originalObject: 'original_object',
  textObject: 'text_object',
  title: 'title',
  author: 'author',
  statedAt: 'stated_at',
  language: 'language',
  pages: 'pages',
  summary: 'summary',
  chunksObject: 'chunks_object',
  chunkCount: 'chunk_count',
  chunksDigest: 'chunks_digest',
  vectorsObject: 'vectors_object',
  embedding: 'embedding',
  vectorsVersion: 'vectors_version',
};

const isColumn = (property: string): property is keyof DocumentPatch => property in COLUMNS;

/** The states before and after a step. */
export interface Advance {
  readonly from: DocumentStatus;
  readonly to: DocumentStatus;
}

export interface Refusal {
  readonly status: DocumentStatus;
  readonly reason: string;
  readonly retryOnScan: boolean;
}

/** Documents as the steps read and write them. A write for another generation or another state does nothing. */
@Injectable()
export class WorkingDocumentStore {
  constructor(private readonly database: BackgroundDatabase) {}

  /** The documents of a batch, by id. */
  async find(scope: TenantScope, ids: readonly string[]): Promise<ReadonlyMap<string, WorkingDocument>> {
    const rows = await this.database.read(scope, (tx) =>
      tx.prepared<WorkingDocument>(
        `select d.document_id as "documentId", d.generation, d.status, d.name, r.root_path as "rootPath",
           d.relative_path as "relativePath", d.content_hash as "contentHash", d.original_object as "originalObject",
           d.text_object as "textObject", d.chunks_object as "chunksObject", d.vectors_object as "vectorsObject",
           d.ingestion_order as "order", ${EARLIER.column},
           exists (select from ingestion.document c where c.group_id = d.group_id and c.parent_id = d.document_id) as "isCarrier"
         from ingestion.document d join ingestion.location r on r.group_id = d.group_id and r.code = d.root_code
         ${EARLIER.join}
         where d.group_id = $1 and d.document_id = any($2::uuid[])`,
        [scope.groupId, ids],
      ),
    );
    return new Map(rows.map((row) => [row.documentId, row]));
  }

  /** Writes the output of a step; answers the replaced objects, or undefined when the document changed meanwhile. */
  async advance(
    tx: Transaction,
    { documentId, generation }: WorkingDocument,
    { from, to }: Advance,
    patch: DocumentPatch,
  ): Promise<string[] | undefined> {
    const columns = Object.entries(patch).filter(([property]) => isColumn(property)) as [
      keyof DocumentPatch,
      unknown,
    ][];
    const sets = columns.map(([property], index) => `${COLUMNS[property]} = $${index + 6}`);
    const objects = columns.map(([property]) => COLUMNS[property]).filter((column) => column.endsWith('_object'));
    const replaced = objects.map(
      (column) => `case when old.${column} is distinct from new.${column} then old.${column} end`,
    );
    const [row] = await tx.prepared<{ replaced: (string | null)[] }>(
      `update ingestion.document set ${['status = $5', 'reason = null', 'updated_at = now()', ...sets].join(', ')}
       where group_id = $1 and document_id = $2 and generation = $3 and status = $4
       returning array[${replaced.join(', ')}]::text[] as replaced`,
      [tx.groupId, documentId, generation, from, to, ...columns.map(([, value]) => value)],
    );
    return row?.replaced.filter((key) => key !== null);
  }

  /** Fails a document with a reason; its searchable content stays searchable. */
  async fail(tx: Transaction, documentId: string, generation: number, refusal: Refusal): Promise<boolean> {
    const rows = await tx.query(
      `update ingestion.document set status = $4, reason = $5, retry_on_scan = $6, failed_at = now(), updated_at = now()
       where group_id = $1 and document_id = $2 and generation = $3 and status <> 'NO_ENCONTRADO' returning code`,
      [tx.groupId, documentId, generation, refusal.status, refusal.reason, refusal.retryOnScan],
    );
    return rows.length > 0;
  }
}
