import type { SetOperation, SpaceCriteria } from '@acervo/contracts';
import type { MembersOfSpace } from '../legs/searched-documents';
import { criteriaSql } from './criteria-sql';

interface CriteriaSource {
  readonly kind: 'criteria';
  readonly criteria: SpaceCriteria;
  readonly listed: readonly string[] | null;
}

/** What the members of a version are read from. */
export type MemberSource =
  | CriteriaSource
  | { readonly kind: 'list'; readonly listed: readonly string[] }
  | { readonly kind: 'operands'; readonly operation: SetOperation; readonly operands: Operands };

export type Operands = readonly [MembersOfSpace, MembersOfSpace];

/** At most so many candidates: any of them, or those behind one in the order of their ids. */
export interface Window {
  /** Null: from the first. Undefined: in any order. */
  readonly after?: string | null;
  readonly limit: number;
}

/** Members as SQL. `$1` is the group. */
export interface MembersSql {
  /** A query of candidates with `document_id`. */
  readonly candidates: string;
  /** That a candidate `d` is a member. */
  readonly condition: string;
  readonly params: readonly unknown[];
}

type Next = (value: unknown) => string;

/** That a candidate of two operands is a member. */
const membership: Record<SetOperation, string> = {
  union: 'true',
  intersection: 'd.in_a and d.in_b',
  difference: 'd.in_a and not d.in_b',
  symmetric_difference: 'd.in_a <> d.in_b',
};

/** What follows the condition of a query of candidates. */
const windowed = ({ after, limit }: Window, next: Next): string => {
  const behind = typeof after === 'string' ? ` and c.document_id > ${next(after)}::uuid` : '';
  return `${behind}${after === undefined ? '' : ' order by c.document_id'} limit ${next(limit)}::int`;
};

/** With a list, the documents on it, each by key. */
const documentsSql = (listed: readonly string[] | null, window: Window, next: Next): string =>
  listed === null
    ? `select c.* from retrieval.document c where c.group_id = $1${windowed(window, next)}`
    : `select c.* from (select distinct unnest(${next(listed)}::uuid[]) as document_id) l cross join lateral (
         select c.* from retrieval.document c where c.group_id = $1 and c.document_id = l.document_id offset 0) c
       where true${windowed(window, next)}`;

const listSql = (listed: readonly string[], window: Window, next: Next): string =>
  `select c.document_id from (select distinct unnest(${next(listed)}::uuid[]) as document_id) c where true${windowed(window, next)}`;

/** The candidates of one operand, with the side that they are on. */
const operandSql = ({ spaceId, version }: MembersOfSpace, side: string, window: Window, next: Next): string =>
  `(select c.document_id, ${side} from retrieval.space_member c
    where c.group_id = $1 and c.space_id = ${next(spaceId)}::int and c.version = ${next(version)}::int${windowed(window, next)})`;

/**
 * Both operands, each with the window. A document within the window of both together is within that of each side that
 * has it, so that its sides are known without a look-up.
 */
const operandsSql = ([a, b]: Operands, window: Window, next: Next): string =>
  `select c.document_id, bool_or(c.in_a) as in_a, bool_or(c.in_b) as in_b
   from (${operandSql(a, 'true as in_a, false as in_b', window, next)}
     union all ${operandSql(b, 'false as in_a, true as in_b', window, next)}) c
   group by c.document_id order by c.document_id limit ${next(window.limit)}::int`;

const entitySql = (entityCode: string, next: Next): string =>
  `exists (select from retrieval.document c where c.group_id = $1 and c.document_id = d.document_id
     and c.entity_code = ${next(entityCode)} offset 0)`;

/** What a query found is its documents; before it was evaluated, none. */
const foundBy = ({ criteria, listed }: CriteriaSource): readonly string[] | null =>
  criteria.query === undefined ? listed : (listed ?? []);

const fulfillingSql = (
  source: CriteriaSource,
  entityCode: string | null,
  window: Window,
  first: number,
): MembersSql => {
  const params: unknown[] = [];
  const next: Next = (value) => `$${first + params.push(value) - 1}`;
  const candidates = documentsSql(foundBy(source), window, next);
  const entity = entityCode === null ? [] : [`d.entity_code = ${next(entityCode)}`];
  const { sql, params: compared } = criteriaSql(source.criteria, 'd', first + params.length);
  const condition = ['not d.withdrawn', ...entity, sql].join(' and ');
  return { candidates, condition, params: [...params, ...compared] };
};

/**
 * The members of a source, for any caller; with an entity, only documents of that entity. Parameters are numbered from
 * `first`.
 */
export const membersSql = (
  source: MemberSource,
  entityCode: string | null,
  window: Window,
  first: number,
): MembersSql => {
  if (source.kind === 'criteria') return fulfillingSql(source, entityCode, window, first);
  const params: unknown[] = [];
  const next: Next = (value) => `$${first + params.push(value) - 1}`;
  if (source.kind === 'list') return { candidates: listSql(source.listed, window, next), condition: 'true', params };
  const candidates = operandsSql(source.operands, window, next);
  const entity = entityCode === null ? [] : [entitySql(entityCode, next)];
  return { candidates, condition: [membership[source.operation], ...entity].join(' and '), params };
};
