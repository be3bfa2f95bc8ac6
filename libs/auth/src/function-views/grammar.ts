/** What a field of a node may contain. */
export type Rule =
  | { readonly is: 'node'; readonly of?: readonly string[] }
  | { readonly is: 'nodes'; readonly of?: readonly string[]; readonly most?: number }
  | { readonly is: 'value'; readonly of: readonly unknown[] }
  | { readonly is: 'name' }
  | { readonly is: 'alias' }
  | { readonly is: 'text' }
  | { readonly is: 'integer' }
  | { readonly is: 'boolean' };

/** A kind of node: its fields, and those that it always has. */
export interface NodeRule {
  readonly fields: Readonly<Record<string, Rule>>;
  readonly required?: readonly string[];
}

const node: Rule = { is: 'node' };
const nodes = (most: number, ...of: string[]): Rule => ({ is: 'nodes', most, ...(of.length === 0 ? {} : { of }) });
const only = (...of: unknown[]): Rule => ({ is: 'value', of });

const MOST_ITEMS = 100;

/** Every kind of node and every field that a view may contain; all others are refused. */
export const grammar: Readonly<Record<string, NodeRule>> = {
  SelectStmt: {
    fields: {
      targetList: nodes(50, 'ResTarget'),
      fromClause: nodes(1, 'RangeVar', 'JoinExpr'),
      whereClause: node,
      groupClause: nodes(20, 'ColumnRef'),
      havingClause: node,
      sortClause: nodes(20, 'SortBy'),
      limitCount: { is: 'node', of: ['A_Const'] },
      limitOption: only('LIMIT_OPTION_DEFAULT', 'LIMIT_OPTION_COUNT'),
      op: only('SETOP_NONE'),
    },
    required: ['targetList', 'fromClause', 'limitOption', 'op'],
  },
  ResTarget: { fields: { name: { is: 'name' }, val: node }, required: ['val'] },
  RangeVar: {
    fields: {
      schemaname: { is: 'name' },
      relname: { is: 'name' },
      inh: only(true),
      relpersistence: only('p'),
      alias: { is: 'alias' },
    },
    required: ['schemaname', 'relname', 'inh', 'relpersistence', 'alias'],
  },
  JoinExpr: {
    fields: {
      jointype: only('JOIN_INNER', 'JOIN_LEFT'),
      larg: { is: 'node', of: ['RangeVar', 'JoinExpr'] },
      rarg: { is: 'node', of: ['RangeVar'] },
      quals: node,
    },
    required: ['jointype', 'larg', 'rarg', 'quals'],
  },
  ColumnRef: { fields: { fields: nodes(2, 'String') }, required: ['fields'] },
  String: { fields: { sval: { is: 'text' } } },
  A_Const: { fields: { ival: { is: 'integer' }, sval: { is: 'text' }, boolval: { is: 'boolean' } } },
  A_Expr: {
    fields: {
      kind: only('AEXPR_OP', 'AEXPR_LIKE', 'AEXPR_ILIKE', 'AEXPR_IN', 'AEXPR_BETWEEN'),
      name: nodes(1, 'String'),
      lexpr: node,
      rexpr: node,
    },
    required: ['kind', 'name', 'lexpr', 'rexpr'],
  },
  BoolExpr: {
    fields: { boolop: only('AND_EXPR', 'OR_EXPR', 'NOT_EXPR'), args: nodes(MOST_ITEMS) },
    required: ['boolop', 'args'],
  },
  NullTest: {
    fields: { arg: node, nulltesttype: only('IS_NULL', 'IS_NOT_NULL') },
    required: ['arg', 'nulltesttype'],
  },
  List: { fields: { items: nodes(MOST_ITEMS, 'A_Const') }, required: ['items'] },
  CoalesceExpr: { fields: { args: nodes(10) }, required: ['args'] },
  FuncCall: {
    fields: {
      funcname: nodes(1, 'String'),
      args: nodes(3),
      agg_order: nodes(5, 'SortBy'),
      agg_star: only(true),
      agg_distinct: only(true),
      funcformat: only('COERCE_EXPLICIT_CALL'),
    },
    required: ['funcname', 'funcformat'],
  },
  SortBy: {
    fields: {
      node,
      sortby_dir: only('SORTBY_DEFAULT', 'SORTBY_ASC', 'SORTBY_DESC'),
      sortby_nulls: only('SORTBY_NULLS_DEFAULT', 'SORTBY_NULLS_FIRST', 'SORTBY_NULLS_LAST'),
    },
    required: ['node', 'sortby_dir', 'sortby_nulls'],
  },
};

/** Functions of a view: none returns sets, reads settings or takes time beyond its arguments. */
export const allowedFunctions: readonly string[] = ['count', 'min', 'max', 'string_agg', 'lower', 'upper', 'length'];

export const allowedOperators: readonly string[] = [
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '||',
  '~~',
  '!~~',
  '~~*',
  '!~~*',
  'BETWEEN',
];

export const MOST_CHARACTERS = 4_000;
export const MOST_NODES = 500;
export const MOST_DEPTH = 16;
export const MOST_RELATIONS = 6;
export const MOST_ROWS = 10_000;
