import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';

/** The value of `--explain` as the program gets it: the question, and the key whose owner asks it. */
export interface AskedQuestion {
  readonly query: string;
  readonly key: string;
}

/**
 * The commands of a start with the key of its environment, which `--explain` needs: the program that executes them may
 * be another one, with another environment.
 */
export const withKey = (
  commands: readonly AdminCommandRequest[],
  { ACERVO_KEY: key = '' }: Readonly<Record<string, string | undefined>>,
): AdminCommandRequest[] =>
  commands.map((command) => {
    if (command.name !== 'explain') return command;
    const asked: AskedQuestion = { query: command.value ?? '', key };
    return { ...command, value: JSON.stringify(asked) };
  });
