import { type LocalSettings, vectorToSql } from '@acervo/platform-database';
import { visibilitySql } from '@acervo/rbac';
import { chunkTable, lexicalIndex, vectorTable } from '../buckets/bucket';
import type { LegQuery } from './ranking';

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
 * would compute it again for every row.
 */
export const lexicalStatement = ({ visibility, embeddingIndex, depth }: LegQuery, terms: string): LegStatement => {
  const table = `retrieval.${chunkTable(embeddingIndex.bucket)}`;
  const visible = visibilitySql(visibility, 'd', 4);
  return {
    sql: `
select c.document_id as "documentId", c.ordinal
from ${table} c
where c.group_id = $1::uuid and c.space_id = $2::int
  and exists (select from retrieval.live l where l.group_id = c.group_id and l.document_id = c.document_id
    and l.space_id = c.space_id and l.generation = c.generation offset 0)
  and exists (select from retrieval.document d where d.document_id = c.document_id and not d.withdrawn and ${visible.sql} offset 0)
order by c.terms <@> to_bm25query($3::text, 'retrieval.${lexicalIndex(embeddingIndex.bucket)}')
limit ${depth}`,
    params: [visibility.groupId, embeddingIndex.indexId, terms, ...visible.params],
    local: { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' },
  };
};

/** Up to this many admitted chunks, the vector leg compares them one by one. */
export const MOST_EXACT = 20_000;

/** How many chunks a filter admits, counted as far as it matters: a document has at least one. */
export const admittedStatement = ({ visibility, embeddingIndex }: LegQuery): Omit<LegStatement, 'local'> => {
  const visible = visibilitySql(visibility, 'd', 3);
  return {
    sql: `
select coalesce(sum(counted.chunk_count), 0)::int as chunks from (
  select l.chunk_count from retrieval.live l
  join retrieval.document d on d.group_id = l.group_id and d.document_id = l.document_id
  where l.group_id = $1::uuid and l.space_id = $2::int and not d.withdrawn and ${visible.sql}
  limit ${MOST_EXACT + 1}) counted`,
    params: [visibility.groupId, embeddingIndex.indexId, ...visible.params],
  };
};

/**
 * The vector leg compares every visible chunk where there are few, which is exact; where there are many it walks along
 * the graph of the bucket, which reads on until enough rows are visible.
 */
export const vectorStatement = (
  { visibility, embeddingIndex, depth }: LegQuery,
  vector: Float32Array,
  exact: boolean,
): LegStatement => {
  const table = `retrieval.${vectorTable(embeddingIndex.dimension, embeddingIndex.bucket)}`;
  const visible = visibilitySql(visibility, 'd', 4);
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
order by near.distance limit ${depth}`,
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
