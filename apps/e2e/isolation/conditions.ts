/** What a condition equates the group of an alias with: a parameter, or the group of another alias. */
export type Ties = ReadonlyMap<string, ReadonlySet<string>>;

const TIE = /^\(*(\w+)\.group_id\)* = \(*((?:\w+\.)?[$\w]+)/;
const REVERSED = /^\(*((?:\w+\.)?[$\w]+)\)* = \(*(\w+)\.group_id/;
const GLOBAL = /^\(*(\w+)\.group_id IS NULL/;
/** In place of a tie: the row of the alias belongs to no group. */
const NOBODY = '$nobody';

/** Parts of an expression, split at an operator outside all brackets. */
const split = (text: string, operator: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0 && text.startsWith(operator, at)) {
      parts.push(text.slice(from, at));
      from = at + operator.length;
    }
  }
  return [...parts, text.slice(from)];
};

/** The expression without brackets that enclose all of it. */
const bare = (text: string): string => {
  if (!text.startsWith('(')) return text;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at === text.length - 1 ? bare(text.slice(1, -1)) : text;
  }
  return text;
};

const united = (all: readonly Ties[]): Ties => {
  const sum = new Map<string, Set<string>>();
  for (const ties of all)
    for (const [alias, others] of ties) sum.set(alias, new Set([...(sum.get(alias) ?? []), ...others]));
  return sum;
};

const tiesOfOne = (text: string): Ties => {
  const [, alias = '', other = ''] = TIE.exec(text) ?? [];
  const [, before = '', after = ''] = REVERSED.exec(text) ?? [];
  const [, nobody = ''] = GLOBAL.exec(text) ?? [];
  const found: [string, string][] = [
    [alias, other],
    [after, before],
    [nobody, NOBODY],
  ];
  return new Map(found.flatMap(([name, to]) => (name === '' ? [] : [[name, new Set([to])]])));
};

const tiesIn = (text: string): Ties => {
  const expression = bare(text.trim());
  const either = split(expression, ' OR ');
  if (either.length > 1) {
    const branches = either.map(tiesIn);
    // A disjunction ties an alias only if every branch ties it.
    return new Map([...united(branches)].filter(([alias]) => branches.every((branch) => branch.has(alias))));
  }
  const both = split(expression, ' AND ');
  return both.length > 1 ? united(both.map(tiesIn)) : tiesOfOne(expression);
};

/** The group of the reader, as a relation that is published to views of functions names it. */
const READER = /\(NULLIF\(current_setting\('app\.group_id'::text, true\), ''::text\)\)::uuid/g;

/** The ties of a condition of a plan; its text literals are ignored. */
export const tiesOf = (condition: string): Ties =>
  tiesIn(condition.replace(READER, '$reader').replace(/'(?:[^']|'')*'/g, "''"));

/** Aliases whose group equals a parameter of the statement, directly or through other such aliases. */
export const boundBy = (conditions: readonly string[]): ReadonlySet<string> => {
  const ties = united(conditions.map(tiesOf));
  const bound = new Set<string>();
  const isBound = (other: string): boolean =>
    (other.startsWith('$') && other !== NOBODY) ||
    (other.endsWith('.group_id') && bound.has(other.slice(0, -'.group_id'.length)));
  for (let before = -1; before !== bound.size;) {
    before = bound.size;
    for (const [alias, others] of ties) if ([...others].some(isBound)) bound.add(alias);
  }
  return bound;
};
