import { allOperations, type FunctionApi } from '@acervo/contracts';
import { operationRows } from '@acervo/rbac';

/** One function uses one operation. */
export interface Edge {
  readonly functionCode: string;
  readonly apiCode: string;
}

/** A function, and the operations that it was found to use when somebody last looked; null when nobody has. */
export interface KnownEdges {
  readonly functionCode: string;
  readonly apiCodes: readonly string[] | null;
}

const rowOf = new Map(operationRows.map((row) => [row.code, row]));

/** Codes of everything that is published now. */
export const publishedApis = (): readonly string[] => allOperations().map(({ code }) => code);

/** The operations that a function uses now, by code: what is published and names it as one of its screens. */
export const apisOf = (functionCode: string): readonly string[] =>
  publishedApis().filter((code) => rowOf.get(code)?.screens.some((screen) => screen === functionCode) === true);

/** An operation as it is served; undefined for one that is published no more. */
export const described = (code: string): FunctionApi | undefined => {
  const row = rowOf.get(code);
  if (row === undefined || !publishedApis().includes(code)) return undefined;
  return { code, kind: row.kind, method: 'POST', path: `/v1/operations/${code}:execute` };
};

/** What is published and used by no function, by code. A function whose edges nobody wrote down uses what it uses now. */
export const orphansAmong = (known: readonly KnownEdges[]): readonly string[] => {
  const used = new Set(known.flatMap(({ functionCode, apiCodes }) => apiCodes ?? apisOf(functionCode)));
  return publishedApis().filter((code) => !used.has(code));
};
