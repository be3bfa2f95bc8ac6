import { type Conflict, NotFound } from '@acervo/contracts';

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

const UNIQUE = '23505';
const FOREIGN = '23503';

/**
 * Runs a statement that may violate a unique key.
 * @throws the conflict in place of the engine's error; NotFound when a referenced row was deleted meanwhile.
 */
export const uniquely = async <T>(conflict: Conflict, statement: () => Promise<T>): Promise<T> => {
  try {
    return await statement();
  } catch (error) {
    if (codeOf(error) === UNIQUE) throw conflict;
    throw codeOf(error) === FOREIGN ? new NotFound() : error;
  }
};

/** The only row of an answer. @throws NotFound without a row: absent and invisible are the same case. */
export const onlyRow = <R>([row]: readonly R[]): R => {
  if (row === undefined) throw new NotFound();
  return row;
};

/** SQLSTATE classes of a statement that cannot run as it is written: types that do not fit, or names that do not exist. */
const UNUSABLE = /^(22|42)/;

/** Whether the engine refused a statement for what it says, not for the moment that it came in. */
export const isRefusedStatement = (error: unknown): boolean => UNUSABLE.test(String(codeOf(error)));
