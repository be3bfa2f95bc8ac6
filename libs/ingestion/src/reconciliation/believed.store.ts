import type { DocumentDescribed, EmbeddingModelKey } from '@acervo/contracts';
import type { Database, TenantScope } from '@acervo/platform-database';
import type { DocumentStatus } from '@acervo/public-mapping';
import { DESCRIPTION } from '../documents/document.facts';

/** What this service believes of a document. */
export interface Believed extends Omit<DocumentDescribed, 'origin'> {
  readonly generation: number;
  readonly status: DocumentStatus;
  /** Whether retrieval was told of it, and not told afterwards that it is gone. */
  readonly isHandedOver: boolean;
  /** It was deleted, its file is gone, or somebody stopped the work on it. */
  readonly isResting: boolean;
  readonly isGone: boolean;
  readonly chunkCount: number | null;
  /** Null where the chunks were made before there was one. */
  readonly chunksDigest: string | null;
  readonly hasVectors: boolean;
  readonly embedding: EmbeddingModelKey | null;
  /** Whether work or answers wait that concern it. */
  readonly isBusy: boolean;
}

/** Which documents: those after one id, up to another one where it is given. */
export interface BelievedRange {
  readonly after: string | null;
  readonly through: string | null;
  readonly limit: number;
}

const SELECT = `select ${DESCRIPTION}, d.generation, d.status, d.handed_over is not null as "isHandedOver",
    d.deleted_at is not null or d.retry_on_scan as "isResting",
    d.deleted_at is not null or d.status = 'NO_ENCONTRADO' as "isGone",
    d.chunk_count as "chunkCount", d.chunks_digest as "chunksDigest", d.vectors_object is not null as "hasVectors", d.embedding,
    exists (select from ingestion.task t where t.group_id = $1 and t.subject_id = d.document_id
      and t.status in ('WAITING', 'LEASED'))
    or exists (select from ingestion.incoming i where i.group_id = $1 and i.event_key = d.document_id::text)
    or exists (select from ingestion.parked_key p where p.group_id = $1 and p.event_key = d.document_id::text) as "isBusy"
  from ingestion.document d where d.group_id = $1`;

/** Documents as they should be in every store. */
export class BelievedStore {
  constructor(private readonly database: Database) {}

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
