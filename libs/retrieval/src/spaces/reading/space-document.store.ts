import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { type Predicate, type Visibility, visibilitySql } from '@acervo/rbac';
import type { LiveEmbeddingIndex } from '../../embedding-indexes/embedding-index.store';
import { charactersSql } from '../../excerpts/document-size';
import { type DocumentSize, listedChunks, MOST_OPENING } from '../../excerpts/excerpt-rule';
import type { FullChunk } from '../../excerpts/excerpt.service';
import {
  liveRow,
  type MembersOfSpace,
  type SearchedDocuments,
  searchedRows,
  searchedSql,
} from '../../legs/searched-documents';
import { type CountedMembers, fewMembersSql, manyMembersSql } from '../member-count';
import type { MemberDocument } from '../../space-members/shown-documents';

/** A searchable document with its searched generation. */
export interface ListedDocument extends DocumentSize, MemberDocument {
  readonly documentId: string;
  readonly generation: number;
}

/** What one reader counts of a space. */
export interface ReaderCount {
  readonly visibility: Visibility;
  readonly space: MembersOfSpace;
  readonly indexId: number;
}

/** The documents of a space that one reader sees. */
export type SearchedSpace = Visibility & { readonly space: MembersOfSpace };

export interface DocumentPage {
  /** The code of the last document before the page; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
  /** Whether the space has so many members that reading all of them takes longer than a walk along the codes. */
  readonly isLarge: boolean;
}

/** The first parameter of what restricts a page. */
const FIRST = 5;
/** Documents that are looked at for each one of a page. A sparser space is read from its members. */
const MOST_WALKED = 20;

interface PlacedChunk extends FullChunk {
  readonly documentId: string;
}

/** Exactly the documents that a search may find: members, visible, and live in the index that searches read. */
const searchable = (searched: SearchedDocuments, indexId: string, first: number): Predicate => {
  const { from, where, params } = searchedRows(searched, first);
  return { sql: `${from} cross join ${liveRow(`$${first}::uuid`, indexId)} where ${where}`, params };
};

/**
 * The same for a large space: the next documents of the group in the order of their codes, of which the space may have
 * enough for a page. From its members each page would read and sort them all.
 */
const walkedRows = (searched: SearchedSpace): Predicate => {
  const { sql, params } = searchedSql(searched, 'd', FIRST);
  const walk = `select d.* from retrieval.document d where d.group_id = $1::uuid and d.code collate "C" > $4::text
    order by d.code collate "C" limit $3::int * ${MOST_WALKED}`;
  return {
    sql: `(${walk}) d cross join ${liveRow('$1::uuid', '$2::int')} where not d.withdrawn and ${sql}`,
    params,
  };
};

/** Reads the documents that a caller sees of a space. */
@Injectable()
export class SpaceDocumentStore {
  /** How many members the caller sees and a search may find; null for many, which `countMany` counts. */
  countFew(tx: Transaction, counted: ReaderCount): Promise<number | null> {
    return this.count(tx, counted, fewMembersSql);
  }

  /** The same for many members. The transaction has the settings `JOINED`. */
  async countMany(tx: Transaction, counted: ReaderCount): Promise<number> {
    return (await this.count(tx, counted, manyMembersSql)) ?? 0;
  }

  private async count(
    tx: Transaction,
    { visibility, space: { spaceId, version }, indexId }: ReaderCount,
    sqlOf: (counted: CountedMembers) => string,
  ): Promise<number | null> {
    const { sql: visible, params } = visibilitySql(visibility, 'd', 5);
    const counted = { group: '$1::uuid', spaceId: '$2::int', version: '$3::int', indexId: '$4::int', visible };
    const [row] = await tx.prepared<{ total: number | null }>(`select ${sqlOf(counted)} as total`, [
      tx.groupId,
      spaceId,
      version,
      indexId,
      ...params,
    ]);
    return row?.total ?? null;
  }

  /** A page of the documents, by code. */
  async page(
    tx: Transaction,
    searched: SearchedSpace,
    indexId: number,
    page: DocumentPage,
  ): Promise<readonly ListedDocument[]> {
    if (page.isLarge) {
      const walked = await this.listed(tx, indexId, page, walkedRows(searched));
      if (walked.length === page.limit) return walked;
    }
    return this.listed(tx, indexId, page, searchable(searched, '$2::int', FIRST));
  }

  private listed(
    tx: Transaction,
    indexId: number,
    { after, limit }: DocumentPage,
    { sql, params }: Predicate,
  ): Promise<ListedDocument[]> {
    return tx.prepared<ListedDocument>(
      `with page as materialized (
         select d.document_id, l.generation, l.bucket, l.chunk_count, d.code, d.name, d.summary, d.path, d.url, d.type_codes
         from ${sql} and d.code collate "C" > $4::text order by d.code collate "C" limit $3::int)
       select l.document_id as "documentId", l.generation, l.code, l.name, l.summary, l.path, l.url,
         l.type_codes[cardinality(l.type_codes)] as "documentTypeCode", l.chunk_count as "chunkCount",
         ${charactersSql('l.bucket', '$1::uuid', '$2::int')} as characters
       from page l order by l.code collate "C"`,
      [tx.groupId, indexId, limit, after ?? '', ...params],
    );
  }

  /** What opens each document, by its id: chunks in order, no more than an answer may show. */
  async openings(
    tx: Transaction,
    { indexId, bucket }: LiveEmbeddingIndex,
    documents: readonly ListedDocument[],
  ): Promise<ReadonlyMap<string, readonly FullChunk[]>> {
    const rows = await tx.prepared<PlacedChunk>(
      `select c.document_id as "documentId", left(c.text, ${MOST_OPENING + 1}) as text, c.language, c.start_at as start
       from unnest($4::uuid[], $5::int[], $6::int[]) as listed (document_id, generation, chunks)
       join retrieval.chunk c on c.bucket = $3::int and c.group_id = $1::uuid and c.space_id = $2::int
         and c.document_id = listed.document_id and c.generation = listed.generation and c.ordinal < listed.chunks
       where c.ordinal = 0 or c.start_at < ${MOST_OPENING}
       order by c.document_id, c.ordinal`,
      [
        tx.groupId,
        indexId,
        bucket,
        documents.map(({ documentId }) => documentId),
        documents.map(({ generation }) => generation),
        documents.map(({ chunkCount }) => listedChunks(chunkCount)),
      ],
    );
    const openings = new Map<string, FullChunk[]>();
    for (const chunk of rows) openings.set(chunk.documentId, [...(openings.get(chunk.documentId) ?? []), chunk]);
    return openings;
  }
}
