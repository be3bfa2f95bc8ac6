import type { SearchFilter } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { type Predicate, type Visibility, visibilitySql } from '@acervo/rbac';

/** Codes that a document must carry: one of each list. An empty list asks for nothing. */
export interface RequiredCodes {
  readonly documentTypes: readonly string[];
  readonly attributes: readonly string[];
  readonly characteristics: readonly string[];
}

/** The members of a space, as one refresh gathered them. */
export interface MembersOfSpace {
  readonly spaceId: number;
  readonly version: number;
}

/** The members of the version at which the space is read when a statement runs. */
export interface PresentMembers {
  readonly spaceId: number;
  readonly version: null;
}

/** The documents that a search may find: those visible to its caller, with the codes and in the space that it asks for. */
export interface SearchedDocuments extends Visibility {
  /** Undefined where the search asks for none. */
  readonly codes?: RequiredCodes;
  /** Undefined where the search is not within a space. */
  readonly space?: MembersOfSpace | PresentMembers;
  /** A further condition on rows of `retrieval.document`. Engines beside the database leave it to the confirmation. */
  readonly condition?: (alias: string, first: number) => Predicate;
}

/** Whether a search asks for a part of what its caller sees. */
export const asksForPart = ({ codes, space, condition, locationCode }: SearchedDocuments): boolean =>
  [codes, space, condition].some((narrowing) => narrowing !== undefined) || locationCode !== null;

/** Whether the documents are narrowed below what an entity holds: few may be left, whatever the size of the group. */
export const isNarrowed = (searched: SearchedDocuments): boolean =>
  asksForPart(searched) || searched.locationRoots !== null;

/** The columns of `retrieval.document`, and fields of its copies, that carry codes. */
const CARRIERS = [
  ['type_codes', 'documentTypes'],
  ['attribute_codes', 'attributes'],
  ['characteristic_codes', 'characteristics'],
] as const satisfies readonly (readonly [string, keyof RequiredCodes])[];

/** The codes that a filter asks for, by the column that carries them. */
export const requiredCodes = ({ codes }: SearchedDocuments): readonly (readonly [string, readonly string[]])[] =>
  CARRIERS.flatMap(([column, kind]) => {
    const asked = codes?.[kind] ?? [];
    return asked.length === 0 ? [] : [[column, asked] as const];
  });

/** A visibility, narrowed by the filter of a search. */
export const searchedDocuments = (visibility: Visibility, filter: SearchFilter | undefined): SearchedDocuments => {
  const { documentTypes = [], attributes = [], characteristics = [] } = filter ?? {};
  if (documentTypes.length + attributes.length + characteristics.length === 0) return visibility;
  return { ...visibility, codes: { documentTypes, attributes, characteristics } };
};

type Within = Required<Pick<SearchedDocuments, 'space' | 'groupId'>>;

/** The stored members `m` of a space. Parameters are numbered from `first`. */
export const membersSql = ({ space, groupId }: Within, first: number): Predicate => {
  const [group, spaceId] = [`$${first}::uuid`, `$${first + 1}::bigint`];
  const version =
    space.version === null
      ? `(select s.version from retrieval.space s where s.group_id = ${group} and s.space_id = ${spaceId})`
      : `$${first + 2}::int`;
  return {
    sql: `select m.document_id from retrieval.space_member m where m.group_id = ${group} and m.space_id = ${spaceId}
      and m.version = ${version}`,
    params: [groupId, space.spaceId, ...(space.version === null ? [] : [space.version])],
  };
};

/** That a document is a member of a space: a look-up by key, whatever is known of the number of members. */
export const memberSql = (within: Within, alias: string, first = 1): Predicate => {
  const { sql, params } = membersSql(within, first);
  return { sql: `exists (${sql} and m.document_id = ${alias}.document_id offset 0)`, params };
};

/** What narrows a visibility, each part with its parameters numbered from its place. */
const narrowings = (searched: SearchedDocuments, alias: string): readonly ((first: number) => Predicate)[] => {
  const { space, groupId, condition } = searched;
  const carried = requiredCodes(searched).map(([column, codes]) => (first: number): Predicate => ({
    sql: `${alias}.${column} && $${first}::text[]`,
    params: [codes],
  }));
  return [
    ...carried,
    ...(space === undefined ? [] : [(first: number) => memberSql({ space, groupId }, alias, first)]),
    ...(condition === undefined ? [] : [(first: number) => condition(alias, first)]),
  ];
};

/**
 * The formula of visibility AND the filter of the request, over `retrieval.document`. The types of a document stand
 * there behind all types above them, so that one comparison finds descendants. Parameters are numbered from `first`.
 */
export const searchedSql = (searched: SearchedDocuments, alias: string, first = 1): Predicate =>
  narrowings(searched, alias).reduce<Predicate>(
    (all, narrowing) => {
      const { sql, params } = narrowing(first + all.params.length);
      return { sql: `${all.sql} and ${sql}`, params: [...all.params, ...params] };
    },
    visibilitySql(searched, alias, first),
  );

/** Rows as the two parts of a statement. */
export interface SearchedRows {
  readonly from: string;
  readonly where: string;
  readonly params: readonly unknown[];
}

/**
 * The documents of a search as rows `d`: those of a space by key from its members. `offset 0` leaves the planner no
 * choice: without statistics it compares each member with every document. Parameters are numbered from `first`.
 */
export const searchedRows = ({ space, ...searched }: SearchedDocuments, first = 1): SearchedRows => {
  const visible = searchedSql(searched, 'd', first);
  const where = `not d.withdrawn and ${visible.sql}`;
  if (space === undefined) return { from: 'retrieval.document d', where, params: visible.params };
  const members = membersSql({ space, groupId: searched.groupId }, first + visible.params.length);
  return {
    from: `(${members.sql} offset 0) m cross join lateral (
      select d.* from retrieval.document d where d.group_id = $${first}::uuid and d.document_id = m.document_id offset 0) d`,
    where,
    params: [...visible.params, ...members.params],
  };
};

/**
 * Runs a statement about searched documents. The text of a further condition varies with the criteria of a space:
 * prepared, each would stay on its connection.
 */
export const readSearched = <R extends object>(
  tx: Transaction,
  { condition }: SearchedDocuments,
  { sql, params }: Predicate,
): Promise<R[]> => (condition === undefined ? tx.prepared<R>(sql, params) : tx.query<R>(sql, params));

/** The live row `l` of a document `d` in an embedding index, by key. */
export const liveRow = (group: string, indexId: string): string =>
  `lateral (select l.generation, l.bucket, l.chunk_count from retrieval.live l
    where l.group_id = ${group} and l.document_id = d.document_id and l.space_id = ${indexId} offset 0) l`;
