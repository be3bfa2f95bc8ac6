import type { SetOperation } from '@acervo/contracts';

/** A set as it is composed: a base set by its letter, or an operation. */
export type Expression = string | readonly [SetOperation, Expression, Expression];

const or = (a: Expression, b: Expression): Expression => ['union', a, b];
const and = (a: Expression, b: Expression): Expression => ['intersection', a, b];
const minus = (a: Expression, b: Expression): Expression => ['difference', a, b];
const xor = (a: Expression, b: Expression): Expression => ['symmetric_difference', a, b];

const [A, B, C, U] = ['A', 'B', 'C', 'U'];
export const NOTHING = 'nothing';

/** Two sets that are equal for every reader. `U` contains all documents. */
export const laws: readonly (readonly [string, Expression, Expression])[] = [
  ['a union commutes', or(A, B), or(B, A)],
  ['an intersection commutes', and(A, B), and(B, A)],
  ['a symmetric difference commutes', xor(A, B), xor(B, A)],
  ['a union associates', or(or(A, B), C), or(A, or(B, C))],
  ['an intersection associates', and(and(A, B), C), and(A, and(B, C))],
  ['a symmetric difference associates', xor(xor(A, B), C), xor(A, xor(B, C))],
  ['an intersection distributes', and(A, or(B, C)), or(and(A, B), and(A, C))],
  ['a union distributes', or(A, and(B, C)), and(or(A, B), or(A, C))],
  ['De Morgan: the complement of a union', minus(U, or(A, B)), and(minus(U, A), minus(U, B))],
  ['De Morgan: the complement of an intersection', minus(U, and(A, B)), or(minus(U, A), minus(U, B))],
  ['a set without itself is empty', minus(A, A), NOTHING],
  ['a symmetric difference is the union without the intersection', xor(A, B), minus(or(A, B), and(A, B))],
  ['a union is idempotent', or(A, A), A],
  ['an intersection is idempotent', and(A, A), A],
];

const operations: Record<SetOperation, (inA: boolean, inB: boolean) => boolean> = {
  union: (inA, inB) => inA || inB,
  intersection: (inA, inB) => inA && inB,
  difference: (inA, inB) => inA && !inB,
  symmetric_difference: (inA, inB) => inA !== inB,
};

/** The oracle: whether a thing is in a set, by the base sets that it is in. */
export const contains = (set: Expression, isIn: (letter: string) => boolean): boolean => {
  if (typeof set === 'string') return set !== NOTHING && isIn(set);
  const [operation, a, b] = set;
  return operations[operation](contains(a, isIn), contains(b, isIn));
};

/** The operations of sets, each behind those that it needs, each once. */
export const operationsIn = (sets: readonly Expression[]): readonly Exclude<Expression, string>[] => {
  const found = new Map<string, Exclude<Expression, string>>();
  const visit = (set: Expression): void => {
    if (typeof set === 'string' || found.has(JSON.stringify(set))) return;
    visit(set[1]);
    visit(set[2]);
    found.set(JSON.stringify(set), set);
  };
  sets.forEach(visit);
  return [...found.values()];
};
