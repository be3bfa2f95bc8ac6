import { allOperations, type FunctionApi } from '@acervo/contracts';

/** One function uses one operation. */
export interface Edge {
  readonly functionCode: string;
  readonly apiCode: string;
}

/** A function, and the operations that it used at the last update of its edges; null before the first update. */
export interface KnownEdges {
  readonly functionCode: string;
  readonly apiCodes: readonly string[] | null;
}

/** The operations that a function uses now, by code: those that name it as one of their screens. */
export const apisOf = (functionCode: string): readonly string[] =>
  allOperations()
    .filter(({ screens }) => screens.some((screen) => screen === functionCode))
    .map(({ code }) => code);

/** A published operation; undefined for one that is no longer published. */
export const described = (code: string): FunctionApi | undefined => {
  const found = allOperations().find((operation) => operation.code === code);
  return found && { code, kind: found.kind, method: 'POST', path: `/v1/operations/${code}:execute` };
};

/**
 * Codes of published operations that no function uses. A function without stored edges counts with its current ones.
 */
export const orphansAmong = (edges: readonly KnownEdges[]): readonly string[] => {
  const used = new Set(edges.flatMap(({ functionCode, apiCodes }) => apiCodes ?? apisOf(functionCode)));
  return allOperations().flatMap(({ code }) => (used.has(code) ? [] : [code]));
};
