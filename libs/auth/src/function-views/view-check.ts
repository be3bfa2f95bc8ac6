import {
  allowedFunctions,
  allowedOperators,
  grammar,
  MOST_DEPTH,
  MOST_NODES,
  MOST_RELATIONS,
  MOST_ROWS,
  type Rule,
} from './grammar';
import { columnsOf, PUBLISHED_SCHEMA } from './published-relations';
import { type Refusal, ViewRefused } from './view.errors';

/** Fields of a node by name, as JSON. */
export type Fields = Readonly<Record<string, unknown>>;
/** A node of a parse tree: an object with its kind as the only key. */
export type TreeNode = Readonly<Record<string, unknown>>;

/** A name that means the same quoted and unquoted. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;
const MOST_TEXT = 500;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const assert: (isValid: boolean, refusal: Refusal) => asserts isValid = (isValid, refusal) => {
  if (!isValid) throw new ViewRefused(refusal);
};

const isName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value);

/** The kind of a node, and its fields. @throws ViewRefused for anything else */
export const partsOf = (value: unknown): readonly [kind: string, fields: Fields] => {
  assert(isObject(value), 'NODE');
  const [first, ...rest] = Object.entries(value);
  assert(first !== undefined && rest.length === 0 && isObject(first[1]), 'NODE');
  return [first[0], first[1]];
};

/** The text of a String node. */
const textOf = (value: unknown): string => {
  const [kind, { sval }] = partsOf(value);
  assert(kind === 'String' && typeof sval === 'string', 'NODE');
  return sval;
};

/** The only text of a list of String nodes: a second one would name a schema. */
const onlyText = (value: unknown, refusal: Refusal): string => {
  assert(Array.isArray(value) && value.length === 1, refusal);
  return textOf(value[0]);
};

/** Checks one parse tree against the grammar, then each name in it against the published relations. */
class ViewCheck {
  private count = 0;
  private readonly aliases = new Map<string, readonly string[]>();
  private readonly references: (readonly string[])[] = [];

  run(statement: unknown): void {
    this.node(statement, ['SelectStmt'], 1);
    for (const [alias = '', column = ''] of this.references)
      assert(this.aliases.get(alias)?.includes(column) === true, 'COLUMN');
  }

  private node(value: unknown, of: readonly string[] | undefined, depth: number): void {
    this.count += 1;
    assert(this.count <= MOST_NODES, 'SIZE');
    assert(depth <= MOST_DEPTH, 'DEPTH');
    const [kind, fields] = partsOf(value);
    const rule = Object.hasOwn(grammar, kind) ? grammar[kind] : undefined;
    // A statement within a statement is no part of the grammar: only the outermost node is a SelectStmt.
    assert(rule !== undefined && (kind !== 'SelectStmt' || depth === 1), 'NODE');
    assert(of === undefined || of.includes(kind), 'NODE');
    assert(
      (rule.required ?? []).every((name) => fields[name] !== undefined),
      'FIELD',
    );
    for (const [name, content] of Object.entries(fields)) {
      assert(Object.hasOwn(rule.fields, name), 'FIELD');
      this.field(content, rule.fields[name] as Rule, depth);
    }
    this.names(kind, fields);
  }

  private field(value: unknown, rule: Rule, depth: number): void {
    switch (rule.is) {
      case 'node':
        return this.node(value, rule.of, depth + 1);
      case 'nodes':
        assert(Array.isArray(value) && value.length > 0, 'NODE');
        assert(value.length <= (rule.most ?? MOST_NODES), 'SIZE');
        return value.forEach((each) => this.node(each, rule.of, depth + 1));
      case 'value':
        return assert(rule.of.includes(value), 'VALUE');
      default:
        return assert(isLiteral(value, rule.is), rule.is === 'name' || rule.is === 'alias' ? 'NAME' : 'VALUE');
    }
  }

  private names(kind: string, fields: Fields): void {
    if (kind === 'RangeVar') this.relation(fields);
    if (kind === 'ColumnRef') this.reference(fields['fields']);
    if (kind === 'A_Const') assert(Object.keys(fields).length === 1, 'VALUE');
    if (kind === 'FuncCall') assert(allowedFunctions.includes(onlyText(fields['funcname'], 'FUNCTION')), 'FUNCTION');
    if (kind === 'A_Expr') assert(allowedOperators.includes(onlyText(fields['name'], 'OPERATOR')), 'OPERATOR');
    if (kind === 'SelectStmt') this.limit(fields['limitCount']);
  }

  private relation({ schemaname, relname, alias }: Fields): void {
    const columns = schemaname === PUBLISHED_SCHEMA ? columnsOf(String(relname)) : undefined;
    assert(columns !== undefined && isObject(alias), 'RELATION');
    const name = String(alias['aliasname']);
    assert(!this.aliases.has(name), 'NAME');
    assert(this.aliases.size < MOST_RELATIONS, 'SIZE');
    this.aliases.set(name, columns);
  }

  /** Columns are named with their relation: a single name could be a whole row. */
  private reference(value: unknown): void {
    assert(Array.isArray(value) && value.length === 2, 'COLUMN');
    this.references.push(value.map(textOf));
  }

  private limit(value: unknown): void {
    if (value === undefined) return;
    const [, { ival }] = partsOf(value);
    assert(isObject(ival) && Number(ival['ival'] ?? 0) <= MOST_ROWS, 'VALUE');
  }
}

type Literal = Exclude<Rule['is'], 'node' | 'nodes' | 'value'>;

/** An object with at most this one field; the parser leaves out 0, false and the empty text. */
const hasAtMost = (value: unknown, name: string, type: string): boolean =>
  isObject(value) && Object.entries(value).every(([key, content]) => key === name && typeof content === type);

const literals: Readonly<Record<Literal, (value: unknown) => boolean>> = {
  name: isName,
  alias: (value) => isObject(value) && Object.keys(value).length === 1 && isName(value['aliasname']),
  // A String node has the text itself, a constant an object around it.
  text: (value) => {
    const text = isObject(value) && hasAtMost(value, 'sval', 'string') ? (value['sval'] ?? '') : value;
    return typeof text === 'string' && text.length <= MOST_TEXT && !/\p{C}/u.test(text);
  },
  integer: (value) => hasAtMost(value, 'ival', 'number'),
  boolean: (value) => hasAtMost(value, 'boolval', 'boolean'),
};

const isLiteral = (value: unknown, kind: Literal): boolean => literals[kind](value);

/** @throws ViewRefused for a tree that is not one SELECT over published relations */
export const assertView = (statement: unknown): void => {
  new ViewCheck().run(statement);
};
