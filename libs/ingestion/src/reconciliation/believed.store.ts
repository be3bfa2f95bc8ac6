import { Injectable } from '@nestjs/common';
import type { DocumentDescribed, EmbeddingModelKey } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope } from '@acervo/platform-database';
import type { DocumentStatus } from '@acervo/public-mapping';
import { DESCRIPTION, type PublishedCodes } from '../document-state/document-events';
import { work } from '../kernel/work-sql';

/** The state of a document according to this service. */
export interface Believed extends Omit<DocumentDescribed, keyof PublishedCodes> {
  /** Null where it was never classified. */
  readonly codes: PublishedCodes | null;
  readonly generation: number;
  readonly status: DocumentStatus;
  /** Whether it was handed over to retrieval, and not withdrawn afterwards. */
  readonly isHandedOver: boolean;
  /** It is deleted, or waits for a scan that retries it. */
  readonly isResting: boolean;
  readonly isGone: boolean;
  readonly chunkCount: number | null;
  /** Null for chunks from before the digest existed. */
  readonly chunksDigest: string | null;
  readonly hasVectors: boolean;
  readonly embedding: EmbeddingModelKey | null;
  /** Whether a task or an unanswered hand-over of it exists. */
  readonly isBusy: boolean;
}

/** A range of documents: after one id, through another one where it is given. */
export interface BelievedRange {
  readonly after: string | null;
  readonly through: string | null;
  readonly limit: number;
}

const SELECT = `select ${DESCRIPTION}, d.generation, d.status, d.handed_over is not null as "isHandedOver",
    d.deleted_at is not null or d.retry_on_scan as "isResting",
    d.deleted_at is not null or d.status = 'NO_ENCONTRADO' as "isGone",
    d.chunk_count as "chunkCount", d.chunks_digest as "chunksDigest", d.vectors_object is not null as "hasVectors", d.embedding,
    ${work.hasOpen({ group: '$1', subject: 'd.document_id' })}
    or exists (select from ingestion.incoming i where i.group_id = $1 and i.event_key = d.document_id::text)
    or exists (select from ingestion.parked_key p where p.group_id = $1 and p.event_key = d.document_id::text) as "isBusy"
  from ingestion.document d where d.group_id = $1`;

/** Documents in the state that every store should have. */
@Injectable()
export class BelievedStore {
  constructor(private readonly database: BackgroundDatabase) {}

  range(scope: TenantScope, { after, through, limit }: BelievedRange): Promise<Believed[]> {
    return this.database.read(scope, (tx) =>
      tx.query<Believed>(
        `${SELECT} and ($2::uuid is null or d.document_id > $2) and ($3::uuid is null or d.document_id <= $3)
         order by d.document_id limit $4`,
        [scope.groupId, after, through, limit],
      ),
    );
  }

  some(scope: TenantScope, ids: readonly string[]): Promise<Believed[]> {
    return this.database.read(scope, (tx) =>
      tx.query<Believed>(`${SELECT} and d.document_id = any($2::uuid[])`, [scope.groupId, ids]),
    );
  }
}
