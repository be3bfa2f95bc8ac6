import type { LocalSettings } from '@acervo/platform-database';

/** SQL expressions of a count. `d` is the alias of `retrieval.document` in `visible`. */
export interface CountedMembers {
  readonly group: string;
  readonly spaceId: string;
  readonly version: string;
  /** The embedding index whose documents are searchable. */
  readonly indexId: string;
  /** That the reader sees the document. */
  readonly visible: string;
}

/** Members from which on reading every visible document costs less than a look-up of each member. */
export const MANY = 2_000;

/**
 * A transaction whose joins merge three keys in their order. Tables that were vacuumed are counted from keys alone, in
 * two thirds of the time of hash joins; new ones in half as much again.
 */
export const JOINED: LocalSettings = {
  ...{ enable_nestloop: 'off', enable_hashjoin: 'off', enable_sort: 'off' },
  ...{ enable_seqscan: 'off', enable_bitmapscan: 'off' },
};

const tablesOf = ({ group, spaceId, version, indexId, visible }: CountedMembers) => ({
  members: `from retrieval.space_member m
    where m.group_id = ${group} and m.space_id = ${spaceId} and m.version = ${version}`,
  documents: `from retrieval.document d where d.group_id = ${group} and not d.withdrawn and ${visible}`,
  searchable: `from retrieval.live l where l.group_id = ${group} and l.space_id = ${indexId}`,
});

/**
 * How many members a reader sees and a search may find: a scalar. Few members are looked up by key, one by one; for many
 * it is `otherwise`.
 */
const fewOr = (counted: CountedMembers, otherwise: string): string => {
  const { members, documents, searchable } = tablesOf(counted);
  return `case when (select count(*) from (select ${members} limit ${MANY}) least) < ${MANY} then (
      select count(*)::int from (select m.document_id ${members} offset 0) m
      cross join lateral (select ${documents} and d.document_id = m.document_id offset 0) d
      cross join lateral (select ${searchable} and l.document_id = m.document_id offset 0) l)
    else ${otherwise} end`;
};

/** The count of few members; null for many. */
export const fewMembersSql = (counted: CountedMembers): string => fewOr(counted, 'null');

/** The count of many members, for a transaction with the settings `JOINED`. */
export const manyMembersSql = (counted: CountedMembers): string => {
  const { members, documents, searchable } = tablesOf(counted);
  return `(select count(*)::int from (select m.document_id ${members}) m
    join (select d.document_id ${documents}) d on d.document_id = m.document_id
    join (select l.document_id ${searchable}) l on l.document_id = m.document_id)`;
};

/**
 * The count of any number of members, in any transaction. For many the members, the visible documents and the searchable
 * ones are read once each. Full joins leave the planner hash and merge joins only: without statistics it compares each
 * member with every document.
 */
export const memberCountSql = (counted: CountedMembers): string => {
  const { members, documents, searchable } = tablesOf(counted);
  return fewOr(
    counted,
    `(select (count(*) filter (where m.document_id is not null and d.document_id is not null
        and l.document_id is not null))::int
      from (select m.document_id ${members}) m
      full join (select d.document_id ${documents}) d on d.document_id = m.document_id
      full join (select l.document_id ${searchable}) l on l.document_id = m.document_id)`,
  );
};
