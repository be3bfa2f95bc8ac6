import { Injectable } from '@nestjs/common';
import type { DocumentOrigin } from '@acervo/public-mapping';
import type { Transaction } from '@acervo/platform-database';
import { charactersSql } from '../excerpts/document-size';
import type { DocumentSize } from '../excerpts/excerpt-rule';
import type { FullChunk } from '../excerpts/excerpt.service';
import type { RankedChunk } from '../legs/ranking';
import { type SearchedDocuments, searchedSql } from '../legs/searched-documents';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';

/** A hit with its text in full, the size of its document, and all fields that are shown. */
export interface HydratedChunk extends RankedChunk, FullChunk, DocumentSize {
  /** Its place among the hits, from 1. */
  readonly rank: number;
  readonly page: number | null;
  readonly code: string;
  readonly name: string;
  readonly summary: string;
  readonly path: string;
  readonly relativePath: string;
  readonly homeVar: string | null;
  readonly origin: DocumentOrigin;
  /** Of its web page; null for a file. */
  readonly url: string | null;
  /** Whether the vectors of its document are loaded. */
  readonly hasVectors: boolean;
}

/** The names of a document. */
export interface NamedDocument {
  readonly documentId: string;
  readonly code: string;
  readonly name: string;
}

@Injectable()
export class HydrationStore {
  /** The hits that are live, visible and within the filter now, in the given order. Chunks that vanished meanwhile are left out. */
  hydrate(
    tx: Transaction,
    visibility: SearchedDocuments,
    embeddingIndex: LiveEmbeddingIndex,
    hits: readonly RankedChunk[],
  ): Promise<HydratedChunk[]> {
    const visible = searchedSql(visibility, 'd', 6);
    return tx.prepared<HydratedChunk>(
      `with live as materialized (
         select l.document_id, l.generation, l.chunk_count, l.has_vectors, ${charactersSql('$3::int', '$1::uuid', '$2::int')} as characters
         from retrieval.live l where l.group_id = $1::uuid and l.space_id = $2::int and l.document_id = any($4::uuid[]))
       select hit.place::int as rank, c.document_id as "documentId", c.ordinal, c.text, c.language, c.start_at as start, c.page,
         l.chunk_count as "chunkCount", l.characters, d.code, d.name, d.summary, d.path,
         d.relative_path as "relativePath", d.home_var as "homeVar", d.origin, d.url,
         l.has_vectors as "hasVectors"
       from unnest($4::uuid[], $5::int[]) with ordinality as hit (document_id, ordinal, place)
       join retrieval.document d on d.document_id = hit.document_id and not d.withdrawn and ${visible.sql}
       join live l on l.document_id = hit.document_id
       join retrieval.chunk c on c.bucket = $3::int and c.group_id = $1::uuid and c.space_id = $2::int
         and c.document_id = hit.document_id and c.generation = l.generation and c.ordinal = hit.ordinal
       order by hit.place`,
      [
        visibility.groupId,
        embeddingIndex.indexId,
        embeddingIndex.bucket,
        hits.map(({ documentId }) => documentId),
        hits.map(({ ordinal }) => ordinal),
        ...visible.params,
      ],
    );
  }

  /** The names of visible documents within the filter, by id or by code. */
  names(
    tx: Transaction,
    visibility: SearchedDocuments,
    ids: readonly string[],
    codes: readonly string[],
  ): Promise<NamedDocument[]> {
    const visible = searchedSql(visibility, 'd', 3);
    return tx.prepared<NamedDocument>(
      `select d.document_id as "documentId", d.code, d.name from retrieval.document d
       where (d.document_id = any($1::uuid[]) or d.code collate "C" = any($2::text[])) and not d.withdrawn and ${visible.sql}`,
      [ids, codes, ...visible.params],
    );
  }

  /** Those of some documents whose vectors are still to come. */
  async withoutVectors(
    tx: Transaction,
    { indexId }: LiveEmbeddingIndex,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.prepared<{ documentId: string }>(
      `select l.document_id as "documentId" from retrieval.live l
       where l.group_id = $1 and l.space_id = $2 and l.document_id = any($3::uuid[]) and not l.has_vectors`,
      [tx.groupId, indexId, ids],
    );
    return new Set(rows.map(({ documentId }) => documentId));
  }

  /** Whether any live document has vectors. */
  async hasVectors(tx: Transaction, { indexId }: LiveEmbeddingIndex): Promise<boolean> {
    const sql = `select from retrieval.live l where l.group_id = $1 and l.space_id = $2 and l.has_vectors limit 1`;
    return (await tx.prepared(sql, [tx.groupId, indexId])).length > 0;
  }
}
