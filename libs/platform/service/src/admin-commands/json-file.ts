import { readFile } from 'node:fs/promises';
import { InvalidInput } from '@acervo/contracts';
import { AdminCommandFailed } from './admin-commands';

/** What an admin command says of a file that it refuses. */
export interface FileRefusal {
  /** What did not happen, as in `cloud.json was not published`. */
  readonly outcome: string;
  /** What the file must contain. */
  readonly shape: string;
}

const contentOf = async (file: string, outcome: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new AdminCommandFailed(`${outcome}: the file cannot be read (${code}).`);
  }
};

const problemOf = (error: unknown): string | undefined => {
  if (error instanceof InvalidInput) return JSON.stringify(error.details);
  return error instanceof SyntaxError ? 'it is no JSON file' : undefined;
};

/**
 * What a JSON file of an operator contains.
 * @param parse throws InvalidInput for another shape
 * @throws AdminCommandFailed for a file that cannot be read, is no JSON or has another shape
 */
export const readJsonFile = async <T>(
  file: string,
  parse: (raw: unknown) => T,
  { outcome, shape }: FileRefusal,
): Promise<T> => {
  const content = await contentOf(file, outcome);
  try {
    return parse(JSON.parse(content));
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    throw new AdminCommandFailed(`${outcome}: ${problem}. It needs ${shape}; see docs/operations.md.`);
  }
};
