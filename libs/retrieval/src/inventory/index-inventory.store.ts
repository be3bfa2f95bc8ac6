import { Injectable } from '@nestjs/common';
import { codesDigest, factsDigest, type InventoryDocument, placeDigest, textDigest } from '@acervo/contracts';
import type { DocumentOrigin } from '@acervo/public-mapping';
import type { Transaction } from '@acervo/platform-database';
import type { FoundCopies } from '../legs/opensearch/copies/chunk-copies';
import type { LiveEmbeddingIndex } from '../embedding-indexes/embedding-index.store';
import { loadingStages, work } from '../kernel/work-sql';
import { copyDifference } from './copy-difference';

/** A range of documents. */
export interface InventoryRange {
  readonly after: string | null;
  readonly limit: number;
}

/** Rows of a table of chunks or vectors, by document, embedding index and generation. */
export interface Loaded {
  readonly documentId: string;
  readonly indexId: number;
  readonly generation: number;
  readonly rows: number;
  /** The highest ordinal. */
  readonly last: number;
  /** Digest of the content of chunks; empty for vectors. */
  readonly content: string;
}

interface LiveRow {
  readonly indexId: number;
  readonly generation: number;
  readonly chunkCount: number;
}

/** The state of a document outside the tables of chunks. */
export interface DocumentRow {
  readonly documentId: string;
  readonly revision: number | null;
  readonly withdrawn: boolean | null;
  readonly code: string;
  readonly name: string;
  readonly title: string | null;
  readonly summary: string;
  readonly entityCode: string;
  readonly locationCode: string;
  readonly locationAncestors: readonly string[];
  readonly homeVar: string | null;
  readonly relativePath: string;
  readonly path: string;
  readonly origin: DocumentOrigin;
  readonly typeCodes: readonly string[];
  readonly attributes: readonly string[];
  readonly characteristics: readonly string[];
  readonly language: string | null;
  /** Null where it was described by an earlier program. */
  readonly changedAt: string | null;
  readonly live: readonly LiveRow[];
  /** Generations that are being loaded. */
  readonly loading: readonly number[];
  readonly busy: boolean;
  readonly parked: boolean;
}

/** The ids in a table of chunks. Each one takes one step through its key, instead of a count of its rows. */
const leap = (table: string): string => `
  with recursive found (id, n) as (
    (select document_id, 1 from ${table} where bucket = $3 and group_id = $1 and ($2::uuid is null or document_id > $2)
     order by document_id limit 1)
    union all
    select (select c.document_id from ${table} c where c.bucket = $3 and c.group_id = $1 and c.document_id > found.id
      order by c.document_id limit 1), n + 1
    from found where id is not null and n < $4)
  select id from found where id is not null`;

const idsIn = (table: string): string => `
  select document_id as id from ${table} where group_id = $1 and ($2::uuid is null or document_id > $2)
  order by document_id limit $3`;

const DOCUMENT_ROWS_SQL = `select given.id as "documentId", d.revision, d.withdrawn, d.code, d.name, d.title, d.summary,
    d.entity_code as "entityCode", d.location_code as "locationCode", d.location_ancestors as "locationAncestors",
    d.home_var as "homeVar", d.relative_path as "relativePath", d.path, d.origin,
    d.type_codes as "typeCodes", d.attribute_codes as "attributes", d.characteristic_codes as "characteristics",
    d.language, to_char(d.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt",
    coalesce((select jsonb_agg(jsonb_build_object('indexId', l.space_id, 'generation', l.generation, 'chunkCount', l.chunk_count))
      from retrieval.live l where l.group_id = $1 and l.document_id = given.id), '[]') as live,
    ${work.openGenerations({ group: '$1', subject: 'given.id', stages: loadingStages })} as loading,
    ${work.hasOpen({ group: '$1', subject: 'given.id' })}
      or exists (select from retrieval.incoming i where i.group_id = $1 and i.event_key = given.id::text) as busy,
    exists (select from retrieval.parked_key p where p.group_id = $1 and p.event_key = given.id::text) as parked
  from unnest($2::uuid[]) as given (id)
  left join retrieval.document d on d.group_id = $1 and d.document_id = given.id
  order by given.id`;

const tablesOf = (dimensions: readonly number[]): string[] => [
  'retrieval.chunk',
  ...dimensions.map((dimension) => `retrieval.vector_${dimension}`),
];

/** Reads the actual rows of the tables of retrieval. Each method is one short query. */
@Injectable()
export class IndexInventoryStore {
  /** The next documents with any trace: a description, a live row, a chunk or a vector. */
  async ids(
    tx: Transaction,
    { after, limit }: InventoryRange,
    { bucket, dimensions }: { bucket: number | null; dimensions: readonly number[] },
  ): Promise<string[]> {
    const found = new Set<string>();
    for (const table of ['retrieval.document', 'retrieval.live'])
      for (const { id } of await tx.query<{ id: string }>(idsIn(table), [tx.groupId, after, limit])) found.add(id);
    if (bucket !== null)
      for (const table of tablesOf(dimensions))
        for (const { id } of await tx.query<{ id: string }>(leap(table), [tx.groupId, after, bucket, limit]))
          found.add(id);
    return [...found].sort().slice(0, limit);
  }

  documentRows(tx: Transaction, ids: readonly string[]): Promise<DocumentRow[]> {
    return tx.query<DocumentRow>(DOCUMENT_ROWS_SQL, [tx.groupId, ids]);
  }

  /** How many rows documents have in one of the tables, and the digest of their chunks. */
  loaded(tx: Transaction, table: 'chunk' | number, bucket: number, ids: readonly string[]): Promise<Loaded[]> {
    const name = table === 'chunk' ? 'chunk' : `vector_${table}`;
    const content = table === 'chunk' ? `md5(string_agg(md5(context || E'\\n' || text), '' order by ordinal))` : `''`;
    return tx.query<Loaded>(
      `select document_id as "documentId", space_id as "indexId", generation, count(*)::int as rows,
         max(ordinal) as last, ${content} as content
       from retrieval.${name} where bucket = $1 and group_id = $2 and document_id = any($3::uuid[]) group by 1, 2, 3`,
      [bucket, tx.groupId, ids],
    );
  }
}

/** The counts of several documents. */
export interface CountedRows {
  readonly chunks: readonly Loaded[];
  readonly vectors: readonly Loaded[];
  /** Null without copies, or when they could not be read. */
  readonly copies: readonly FoundCopies[] | null;
}

/** Combines the inventory of one document. */
export const inventoryOf = (
  row: DocumentRow,
  embeddingIndex: LiveEmbeddingIndex | undefined,
  { chunks, vectors, copies }: CountedRows,
): InventoryDocument => {
  const { documentId, live, loading } = row;
  const searched = live.find(({ indexId }) => indexId === embeddingIndex?.indexId);
  const ownRows = (rows: readonly Loaded[]): Loaded[] => rows.filter((each) => each.documentId === documentId);
  const inUse = (each: Loaded): boolean =>
    loading.includes(each.generation) ||
    live.some(({ indexId, generation }) => indexId === each.indexId && generation === each.generation);
  const sum = (rows: readonly Loaded[]): number => rows.reduce((total, each) => total + each.rows, 0);
  const ofSearched = (rows: readonly Loaded[]): Loaded[] =>
    ownRows(rows).filter(
      ({ indexId, generation }) => indexId === searched?.indexId && generation === searched.generation,
    );
  return {
    documentId,
    revision: row.revision ?? 0,
    isShown: row.withdrawn === false,
    place: row.revision === null ? '' : placeDigest(row),
    text: row.revision === null ? '' : textDigest(row),
    codes: row.revision === null ? '' : codesDigest(row),
    facts: row.changedAt === null ? '' : factsDigest({ language: row.language, changedAt: row.changedAt }),
    isLive: live.length > 0,
    generation: searched?.generation ?? 0,
    chunkCount: searched?.chunkCount ?? 0,
    chunks: sum(ofSearched(chunks)),
    content: ofSearched(chunks)[0]?.content ?? '',
    vectors: sum(ofSearched(vectors)),
    ...(copies === null
      ? { copiesMissing: 0, copiesExtra: 0 }
      : copyDifference(
          copies.filter((each) => each.documentId === documentId),
          ownRows(chunks),
          ofSearched(chunks)[0],
        )),
    stale: sum([...ownRows(chunks), ...ownRows(vectors)].filter((each) => !inUse(each))),
    isBusy: row.busy,
    isParked: row.parked,
  };
};
