import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import type { RankedChunk } from '../legs/ranking';

/** What a ranked chunk has of a query. */
export interface ChunkEvidence extends RankedChunk {
  readonly language: string;
  /** The terms of the query that the chunk is indexed by. */
  readonly terms: readonly string[];
}

/** Reads what the best chunks of both legs have of a query. The legs rank; they return neither terms nor languages. */
@Injectable()
export class EvidenceStore {
  /** One row for each chunk that is live; chunks that vanished meanwhile are left out. */
  of(
    tx: Transaction,
    { indexId, bucket }: LiveEmbeddingIndex,
    hits: readonly RankedChunk[],
    terms: readonly string[],
  ): Promise<ChunkEvidence[]> {
    return tx.prepared<ChunkEvidence>(
      `select c.document_id as "documentId", c.ordinal, c.language,
         array(select distinct t from unnest(string_to_array(c.terms, ' ')) t where t = any($6::text[])) as terms
       from unnest($4::uuid[], $5::int[]) as hit (document_id, ordinal)
       join retrieval.live l on l.group_id = $1::uuid and l.space_id = $2::int and l.document_id = hit.document_id
       join retrieval.chunk c on c.bucket = $3::int and c.group_id = $1::uuid and c.space_id = $2::int
         and c.document_id = hit.document_id and c.generation = l.generation and c.ordinal = hit.ordinal`,
      [
        tx.groupId,
        indexId,
        bucket,
        hits.map(({ documentId }) => documentId),
        hits.map(({ ordinal }) => ordinal),
        terms,
      ],
    );
  }
}
