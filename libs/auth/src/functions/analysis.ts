import type { FunctionAnalysis, FunctionBehaviourItem } from '@acervo/contracts';

/** A function as its analysis compares it. */
export interface AnalysedFunction {
  readonly behaviours: readonly FunctionBehaviourItem[];
  /** The published operations that name it as a screen. */
  readonly operations: readonly string[];
  /** The stored edges; none before the first update of them. */
  readonly edges: readonly string[];
}

/** The codes of one list that another one lacks. */
const missingIn = (codes: readonly string[], others: readonly string[]): readonly string[] =>
  codes.filter((code) => !others.includes(code));

export const analyse = ({ behaviours, operations, edges }: AnalysedFunction): Omit<FunctionAnalysis, 'analysedAt'> => ({
  operations: operations.length,
  operationsWithoutEdge: missingIn(operations, edges),
  edgesWithoutOperation: missingIn(edges, operations),
  behavioursWithoutOperation: behaviours.filter(
    ({ operations: named = [] }) => !named.some((code) => operations.includes(code)),
  ),
  operationsWithoutBehaviour: missingIn(
    operations,
    behaviours.flatMap(({ operations: named = [] }) => named),
  ),
});
