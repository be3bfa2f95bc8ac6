import { eventually, Unavailable } from '@acervo/platform-testing';

export { eventually, TooLate, Unavailable, until } from '@acervo/platform-testing';

/** Repeats `work` until it returns a value, even if what it asks is unavailable meanwhile. @throws TooLate after `ms` */
export const retryUntilAvailable = <T>(
  what: string | (() => string),
  work: () => Promise<T | undefined> | T | undefined,
  ms = 900_000,
): Promise<T> => {
  const attempt = async (): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      throw new Unavailable(String(error), { cause: error });
    }
  };
  return eventually(what, attempt, ms);
};
