import type { LocalSettings } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';

/** Up to this many visible documents of an edge are read: of a folder by code, of a type or feature the latest ones. */
export const MOST_OF_AN_EDGE = 1_000;
/** Up to this many features of a document are followed: those of the highest confidence. */
const MOST_FEATURES = 100;

/** Keeps each edge a walk along its index that ends at its limit, whatever the statistics say. */
export const BY_KEY: LocalSettings = {
  ...{ enable_seqscan: 'off', enable_bitmapscan: 'off' },
  ...{ enable_hashjoin: 'off', enable_mergejoin: 'off' },
};

/** Where a search for neighbours begins. */
export interface NeighborsFrom {
  readonly documentId: string;
  readonly locationCode: string;
}

interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** The ids of visible documents, one more than an edge is read for. */
export const fewVisibleStatement = (visibility: Visibility): Statement => {
  const visible = visibilitySql(visibility, 'd');
  return {
    sql: `select d.document_id as "documentId" from ingestion.document d
      where ${visible.sql} and d.deleted_at is null limit ${MOST_OF_AN_EDGE + 1}`,
    params: visible.params,
  };
};

/** Within the caller's documents: the ids, where they are few; otherwise one look-up by key for each row. */
const within = (visibility: Visibility, few: readonly string[] | null, first: number): Statement => {
  if (few !== null) return { sql: `n.document_id = any($${first}::uuid[])`, params: [few] };
  const visible = visibilitySql(visibility, 'd', first);
  return {
    sql: `exists (select from ingestion.document d where d.document_id = n.document_id and d.deleted_at is null
      and ${visible.sql} offset 0)`,
    params: visible.params,
  };
};

/** The first visible documents of each edge of a kind, with their place. */
const documentsOf = (kind: string, table: string, has: string, order: string, visible: Statement): string => `
  select e.kind, e.one, e.two, n.document_id, n.place from edge e cross join lateral (
    select n.document_id, row_number() over (order by ${order}) as place from ingestion.${table} n
    where n.group_id = $1::uuid and ${has} and n.document_id <> $2::uuid and ${visible.sql}
    order by ${order} limit ${MOST_OF_AN_EDGE}) n
  where e.kind = '${kind}'`;

/** A column of a candidate, by its key. */
const columnOf = (table: string, column: string): string =>
  `(select s.${column} from ingestion.${table} s where s.group_id = $1::uuid and s.document_id = c.document_id)`;

/**
 * Documents two steps away, over the edges folder, type and features. They are ranked by the index of Adamic and Adar
 * ("Friends and neighbors on the Web", Social Networks 25, 2003): the sum of 1 / ln(d) over shared edges, d being the
 * number of visible documents with the edge, the own one included; ties by code.
 *
 * An edge is read up to `MOST_OF_AN_EDGE` visible documents, which is also its greatest d. Each longer edge
 * proposes as many of them as neighbours are asked for, so that the number of neighbours is exact. So is their order
 * among all documents that share an edge which is not longer.
 * @param few the ids of all visible documents, where they are not more than an edge is read for
 */
export const neighborsStatement = (
  visibility: Visibility,
  { documentId, locationCode }: NeighborsFrom,
  limit: number,
  few: readonly string[] | null,
): Statement => {
  const visible = within(visibility, few, 5);
  return {
    sql: `
with edge as materialized (
  select 'FOLDER' as kind, $3::text as one, '' as two
  union all
  select 'TYPE', t.code, '' from ingestion.document_class c
  join ingestion.document_type t on t.group_id = c.group_id and t.code = c.type_code
  where c.group_id = $1::uuid and c.document_id = $2::uuid
  union all
  (select 'FEATURE', o.category_code, o.code from ingestion.document_feature o
   join ingestion.feature f on f.group_id = o.group_id and f.category_code = o.category_code and f.code = o.code
   where o.group_id = $1::uuid and o.document_id = $2::uuid
   order by o.confidence desc, o.category_code, o.code limit ${MOST_FEATURES})),
found as (
  ${documentsOf('FOLDER', 'document', 'n.location_code = e.one and n.deleted_at is null', 'n.code collate "C"', visible)}
  union all
  ${documentsOf('TYPE', 'document_class', 'n.type_code = e.one', 'n.document_id desc', visible)}
  union all
  ${documentsOf('FEATURE', 'document_feature', 'n.category_code = e.one and n.code = e.two', 'n.document_id desc', visible)}),
listed as materialized (
  select f.*, count(*) over (partition by kind, one, two) as documents from found f),
long as materialized (
  select distinct kind, one, two, documents from listed where documents = ${MOST_OF_AN_EDGE}),
candidate as materialized (
  select distinct document_id from listed where documents < ${MOST_OF_AN_EDGE} or place <= $4::int),
shared as (
  select document_id, documents from listed where documents < ${MOST_OF_AN_EDGE}
  union all
  select c.document_id, l.documents from candidate c cross join long l
  where case l.kind
    when 'FOLDER' then ${columnOf('document', 'location_code')} = l.one
    when 'TYPE' then ${columnOf('document_class', 'type_code')} = l.one
    else exists (select from ingestion.document_feature s where s.group_id = $1::uuid
      and s.document_id = c.document_id and s.category_code = l.one and s.code = l.two offset 0) end),
ranked as (
  select document_id, sum(1 / ln(documents + 1)) as weight, count(*)::int as edges from shared group by document_id)
select d.code, d.name, d.status, d.path as location, d.location_code as "locationCode", r.edges as "sharedEdges"
from ranked r join ingestion.document d on d.group_id = $1::uuid and d.document_id = r.document_id
order by round(r.weight::numeric, 9) desc, d.code collate "C" limit $4::int`,
    params: [visibility.groupId, documentId, locationCode, limit, ...visible.params],
  };
};
