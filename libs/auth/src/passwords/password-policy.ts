import { InvalidInput } from '@acervo/contracts';

const LEAST = 10;
const LEAST_DIFFERENT = 5;
/** The beginnings of what is tried first. */
const USUAL = ['password', 'contrase', 'qwerty', '12345', '123456', 'abcdef', 'iloveyou', 'acervo', 'administrador'];

/** @throws InvalidInput where a password is too short, too plain or the first that anybody would try. */
export const assertGoodPassword = (password: string): void => {
  const plain = password.toLowerCase();
  const usual = USUAL.some((word) => plain.startsWith(word) && plain.length < word.length + 6);
  const good = [...password].length >= LEAST && new Set(plain).size >= LEAST_DIFFERENT && !usual;
  if (!good) throw new InvalidInput({ missing: [], invalid: ['password'], unknown: 0 });
};
