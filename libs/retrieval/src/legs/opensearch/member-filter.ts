import type { LegQuery } from '../ranking';
import {
  liveRow,
  type MembersOfSpace,
  memberSql,
  membersSql,
  type PresentMembers,
  searchedRows,
} from '../searched-documents';
import type { Clause } from './lexical-query';

/** The longest list of one clause, by the default of the engine. */
const MOST_TERMS = 65_536;
/** The most ids that a query names: three clauses, 7 MB. */
export const MOST_NAMED = 3 * MOST_TERMS;
/** So few members are named with each query. More are named only where a wider reading does not find enough of them. */
export const FEW_MEMBERS = 1_000;

/** How a query is kept within a space: by its members, or by the searchable documents that are none. */
export interface MemberFilter {
  /** Null where both lists are too long: the engine is not narrowed, and the database drops what it finds outside. */
  readonly kind: 'members' | 'others' | null;
  readonly ids: readonly string[];
}

/** The members of a small space that a caller may find. */
export interface FewMembers {
  /** Null where there are more. */
  readonly ids: readonly string[] | null;
}

interface MemberStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}
type SpaceMembers = MembersOfSpace | PresentMembers;

/** The members that the caller may find, where few are stored. */
export const fewMembersStatement = (
  { visibility, embeddingIndex }: LegQuery,
  space: SpaceMembers,
  few: number,
): MemberStatement => {
  const found = searchedRows({ ...visibility, space }, 3);
  const stored = membersSql({ groupId: visibility.groupId, space }, 3 + found.params.length);
  return {
    sql: `
select case when (select count(*) from (${stored.sql} limit ${few + 1}) counted) <= ${few} then array(
  select d.document_id from ${found.from} cross join ${liveRow('$1::uuid', '$2::int')} where ${found.where}) end as ids`,
    params: [visibility.groupId, embeddingIndex.indexId, ...found.params, ...stored.params],
  };
};

/**
 * A list that keeps a query within a large space, in one statement: its members as they are stored, for any caller, or
 * the other documents where those are fewer. They are read no further than there are members.
 */
export const memberFilterStatement = (
  { visibility: { groupId }, embeddingIndex }: LegQuery,
  space: SpaceMembers,
  { most, few } = { most: MOST_NAMED, few: MOST_TERMS },
): MemberStatement => {
  const stored = membersSql({ groupId, space }, 3);
  const member = memberSql({ groupId, space }, 'l', 3 + stored.params.length);
  return {
    sql: `
with member as materialized (${stored.sql} limit ${most + 1}),
  other as materialized (
    select l.document_id from retrieval.live l
    where l.group_id = $1::uuid and l.space_id = $2::int and not ${member.sql} limit (select count(*) from member))
select chosen.kind, case chosen.kind when 'members' then array(select document_id from member)
  when 'others' then array(select document_id from other) else '{}'::uuid[] end as ids
from (select case
  when (select count(*) from member) <= ${few} then 'members'
  when (select count(*) from other) < (select count(*) from member) then 'others'
  when (select count(*) from member) <= ${most} then 'members' end as kind) chosen`,
    params: [groupId, embeddingIndex.indexId, ...stored.params, ...member.params],
  };
};

const clausesOf = (ids: readonly string[]): Clause[] =>
  Array.from({ length: Math.ceil(ids.length / MOST_TERMS) }, (_, part) => ({
    terms: { document_id: ids.slice(part * MOST_TERMS, (part + 1) * MOST_TERMS) },
  }));

/** The clauses of a filter; a space without members matches nothing. */
export const memberClauses = ({ kind, ids }: MemberFilter): Clause[] => {
  if (kind === null || (kind === 'others' && ids.length === 0)) return [];
  if (kind === 'others') return [{ bool: { must_not: clausesOf(ids) } }];
  return [ids.length === 0 ? { match_none: {} } : { bool: { should: clausesOf(ids), minimum_should_match: 1 } }];
};
