import { InvalidInput } from '@acervo/contracts';

const LEAST = 10;
const LEAST_DIFFERENT = 5;
/** Beginnings of the passwords that attackers try first. */
const USUAL = ['password', 'contrase', 'qwerty', '12345', '123456', 'abcdef', 'iloveyou', 'acervo', 'administrador'];

/** @throws InvalidInput for a password that is too short, too simple or among the most common ones. */
export const assertGoodPassword = (password: string): void => {
  const lowered = password.toLowerCase();
  const usual = USUAL.some((word) => lowered.startsWith(word) && lowered.length < word.length + 6);
  const good = [...password].length >= LEAST && new Set(lowered).size >= LEAST_DIFFERENT && !usual;
  if (!good) throw new InvalidInput({ missing: [], invalid: ['password'], unknown: 0 });
};
