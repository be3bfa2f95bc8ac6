import { type LocalSettings, vectorToSql } from '@acervo/platform-database';
import type { Predicate } from '@acervo/rbac';
import { chunkTable, lexicalIndex, vectorTable } from '../kernel/bucket';
import type { LegQuery } from './ranking';
import { liveRow, searchedRows, searchedSql } from './searched-documents';

/** A statement of a leg, exactly as it runs: text, parameters, and the settings of its transaction. */
export interface LegStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly local: LocalSettings;
}

/**
 * The lexical leg reads its index in the order of the score and goes on until enough rows are visible. Any other plan
 * scores row by row and takes a hundred times as long, so the planner is left no choice; `offset 0` keeps each test of
 * visibility a look-up by key, whatever the statistics say. The score is neither selected nor filtered on: either
 * would compute it again for every row. The last row says its terms, which show whether it matches at all.
 */
export const lexicalStatement = ({ visibility, embeddingIndex, depth }: LegQuery, terms: string): LegStatement => {
  const table = `retrieval.${chunkTable(embeddingIndex.bucket)}`;
  const visible = searchedSql(visibility, 'd', 4);
  return {
    sql: `
select ranked.document_id as "documentId", ranked.ordinal,
  case when row_number() over () = count(*) over () then ranked.terms end as "lastTerms" from (
select c.document_id, c.ordinal, c.terms
from ${table} c
where c.group_id = $1::uuid and c.space_id = $2::int
  and exists (select from retrieval.live l where l.group_id = c.group_id and l.document_id = c.document_id
    and l.space_id = c.space_id and l.generation = c.generation offset 0)
  and exists (select from retrieval.document d where d.document_id = c.document_id and not d.withdrawn and ${visible.sql} offset 0)
order by c.terms <@> to_bm25query($3::text, 'retrieval.${lexicalIndex(embeddingIndex.bucket)}')
limit ${depth}) ranked`,
    params: [visibility.groupId, embeddingIndex.indexId, terms, ...visible.params],
    local: { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' },
  };
};

/** Up to this many admitted chunks, the lexical leg scores them one by one: less work than a walk along the index. */
export const MOST_SCORED = 200;

/** Whether so few chunks are admitted that each is found by its key. */
export const isFew = ({ admitted = Infinity }: LegQuery): boolean => admitted <= MOST_SCORED;

/** The admitted documents, each found by its key. */
const admittedByKey = ({ visibility }: LegQuery): Predicate => {
  const { from, where, params } = searchedRows(visibility, 4);
  const sql = `select d.document_id, l.generation from ${from} cross join ${liveRow('$1::uuid', '$2::int')} where ${where}`;
  return { sql, params };
};

/**
 * The lexical leg over few admitted chunks: each is found by its key and scored once, with the statistics of the index.
 * A chunk without any term has the score 0. Equal scores stand in the order of the table, as in the index.
 */
export const scoredStatement = (query: LegQuery, terms: string): LegStatement => {
  const { visibility, embeddingIndex, depth } = query;
  const admitted = admittedByKey(query);
  return {
    // `offset 0` keeps the index from being walked, and each score from being computed twice.
    sql: `
with admitted as materialized (${admitted.sql})
select a.document_id as "documentId", scored.ordinal from admitted a cross join lateral (
  select c.ordinal, c.ctid as place,
    c.terms <@> to_bm25query($3::text, 'retrieval.${lexicalIndex(embeddingIndex.bucket)}') as score
  from retrieval.${chunkTable(embeddingIndex.bucket)} c
  where c.group_id = $1::uuid and c.space_id = $2::int and c.document_id = a.document_id and c.generation = a.generation
  offset 0) scored
where scored.score < 0
order by scored.score, scored.place limit ${depth}`,
    params: [visibility.groupId, embeddingIndex.indexId, terms, ...admitted.params],
    local: { enable_seqscan: 'off' },
  };
};

/** Up to this many admitted chunks, the vector leg compares them one by one. */
export const MOST_EXACT = 20_000;

/** How many chunks a filter admits, counted as far as it matters: a document has at least one. */
export const admittedStatement = ({ visibility, embeddingIndex }: LegQuery): Omit<LegStatement, 'local'> => {
  const { from, where, params } = searchedRows(visibility, 3);
  const live =
    visibility.space === undefined
      ? `join retrieval.live l on l.group_id = $1::uuid and l.document_id = d.document_id and l.space_id = $2::int`
      : `cross join ${liveRow('$1::uuid', '$2::int')}`;
  return {
    sql: `
select coalesce(sum(counted.chunk_count), 0)::int as chunks from (
  select l.chunk_count from ${from} ${live} where ${where} limit ${MOST_EXACT + 1}) counted`,
    params: [visibility.groupId, embeddingIndex.indexId, ...params],
  };
};

/** Whether vectors are found by key: those of few documents, or of a space in a group with many other ones. */
const isByKey = ({ admitted, visibility, embeddingIndex }: LegQuery): boolean =>
  admitted !== undefined || (visibility.space !== undefined && embeddingIndex.mostChunks > MOST_EXACT);

/** Every admitted vector, those of each document found by its key. */
const nearByKey = (query: LegQuery, vector: Float32Array): LegStatement => {
  const { visibility, embeddingIndex, depth } = query;
  const admitted = admittedByKey(query);
  return {
    sql: `
with admitted as materialized (${admitted.sql})
select a.document_id as "documentId", near.ordinal, -near.distance as cosine from admitted a cross join lateral (
  select v.ordinal, v.embedding <#> $3::vector as distance
  from retrieval.${vectorTable(embeddingIndex.dimension, embeddingIndex.bucket)} v
  where v.group_id = $1::uuid and v.space_id = $2::int and v.document_id = a.document_id and v.generation = a.generation
  offset 0) near
order by near.distance, a.document_id, near.ordinal limit ${depth}`,
    params: [visibility.groupId, embeddingIndex.indexId, vectorToSql(vector), ...admitted.params],
    local: { enable_seqscan: 'off' },
  };
};

/** How many of the nearest chunks are tested for each that is wanted: enough where a third is visible. */
const TESTED_EACH = 3;

/**
 * The nearest of all chunks, then those of them that are visible, each found by its key. Fewer than `depth` rows say
 * nothing about the chunks behind them; otherwise the answer is that of the exact statement, for less work: most chunks
 * are compared only, and not joined with their documents.
 */
export const nearestStatement = (
  { visibility, embeddingIndex, depth }: LegQuery,
  vector: Float32Array,
): LegStatement => {
  const visible = searchedSql(visibility, 'd', 4);
  return {
    sql: `
with nearest as materialized (select n.* from (
  select v.document_id, v.generation, v.ordinal, v.embedding <#> $3::vector as distance
  from retrieval.${vectorTable(embeddingIndex.dimension, embeddingIndex.bucket)} v
  where v.group_id = $1::uuid and v.space_id = $2::int
  offset 0) n order by n.distance, n.document_id, n.ordinal limit ${depth * TESTED_EACH})
select n.document_id as "documentId", n.ordinal, -n.distance as cosine from nearest n
where exists (select from retrieval.live l where l.group_id = $1::uuid and l.document_id = n.document_id
    and l.space_id = $2::int and l.generation = n.generation offset 0)
  and exists (select from retrieval.document d where d.document_id = n.document_id and not d.withdrawn and ${visible.sql} offset 0)
order by n.distance, n.document_id, n.ordinal limit ${depth}`,
    params: [visibility.groupId, embeddingIndex.indexId, vectorToSql(vector), ...visible.params],
    local: { enable_seqscan: 'off' },
  };
};

/**
 * The vector leg compares every visible chunk where there are few, which is exact; where there are many it walks along
 * the graph of the bucket, which reads on until enough rows are visible. Equal distances stand in the order of the
 * documents: without an order of their own, that of a hash table would show, which rows of other groups change.
 */
export const vectorStatement = (query: LegQuery, vector: Float32Array, exact: boolean): LegStatement => {
  if (exact && isByKey(query)) return nearByKey(query, vector);
  const { visibility, embeddingIndex, depth } = query;
  const table = `retrieval.${vectorTable(embeddingIndex.dimension, embeddingIndex.bucket)}`;
  const visible = searchedSql(visibility, 'd', 4);
  const admitted = `
select l.document_id, l.generation from retrieval.live l
join retrieval.document d on d.group_id = l.group_id and d.document_id = l.document_id
where l.group_id = $1::uuid and l.space_id = $2::int and not d.withdrawn and ${visible.sql}`;
  const distance = `v.embedding <#> $3::vector`;
  const params = [visibility.groupId, embeddingIndex.indexId, vectorToSql(vector), ...visible.params];
  if (exact)
    return {
      // Each distance is computed once: without `offset 0` it would be computed to sort by and again to be shown.
      sql: `
with admitted as materialized (${admitted})
select near.document_id as "documentId", near.ordinal, -near.distance as cosine from (
  select v.document_id, v.ordinal, ${distance} as distance
  from ${table} v join admitted a on a.document_id = v.document_id and a.generation = v.generation
  where v.group_id = $1::uuid and v.space_id = $2::int
  offset 0) near
order by near.distance, near.document_id, near.ordinal limit ${depth}`,
      params,
      local: { enable_nestloop: 'off', enable_mergejoin: 'off', enable_indexscan: 'off' },
    };
  return {
    sql: `
select v.document_id as "documentId", v.ordinal, -(${distance}) as cosine from ${table} v
where v.group_id = $1::uuid and v.space_id = $2::int
  and exists (${admitted} and l.document_id = v.document_id and l.generation = v.generation offset 0)
order by ${distance} limit ${depth}`,
    params,
    local: { enable_seqscan: 'off', enable_sort: 'off', 'hnsw.iterative_scan': 'strict_order' },
  };
};
