import { randomUUID } from 'node:crypto';
import { onStack, stackVariables } from '@acervo/platform-testing';

/** Begins the names of the indexes of this test file alone. */
export const STACK_PREFIX: string = `test-${randomUUID().slice(0, 8)}`;

/** The words of a service on a stack are in its OpenSearch: PostgreSQL from the registry does not rank them. */
export const stackLexical = (): Readonly<Record<string, string>> => {
  const found = onStack() ? Object.entries(stackVariables()) : [];
  const variables = found.filter(([name]) => name.startsWith('ACERVO_OPENSEARCH_'));
  if (variables.length === 0) return {};
  return { ...Object.fromEntries(variables), ACERVO_LEXICAL: 'opensearch', ACERVO_OPENSEARCH_PREFIX: STACK_PREFIX };
};
