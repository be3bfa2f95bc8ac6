import type { SetOperation } from '@acervo/contracts';

const LONGEST_NAME = 200;

const sentences: Record<SetOperation, (a: string, b: string) => string> = {
  union: (a, b) => `${a} o ${b}`,
  intersection: (a, b) => `${a} y ${b}`,
  difference: (a, b) => `${a} sin ${b}`,
  symmetric_difference: (a, b) => `${a} o ${b}, no ambos`,
};

/** The name of a composed space: the one that is given, else a sentence made of the names of its operands. */
export const composedName = (asked: string | undefined, operation: SetOperation, a: string, b: string): string => {
  const name = asked?.trim() ?? '';
  return [...(name === '' ? sentences[operation](a, b) : name)].slice(0, LONGEST_NAME).join('');
};
