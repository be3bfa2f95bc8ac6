import { CallUnanswered, KeysUnavailable } from '@acervo/platform-calls';

/** Drivers that cannot connect report the reason only in `code`. */
const wordsOf = (error: Error): string => {
  const { code, errors } = error as Error & { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (error.message !== '') return error.message;
  if (errors?.[0] instanceof Error) return wordsOf(errors[0]);
  return typeof code === 'string' ? code : error.name;
};

/** The reason why an admin command failed, with its causes and what to do. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const behind = error.cause instanceof Error ? ` (${wordsOf(error.cause)})` : '';
  const isAway = error instanceof CallUnanswered || error instanceof KeysUnavailable;
  const advice = isAway ? ' See that it runs and that ACERVO_INTERNAL_URL says where, then ask again.' : '';
  return `${wordsOf(error)}${behind}${advice}`;
};
