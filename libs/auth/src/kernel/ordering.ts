import { InvalidInput } from '@acervo/contracts';

export interface Place<K> {
  readonly key: K;
  readonly position: number;
}

/**
 * Keys in the order of their places; keys with equal places keep the order of the list.
 * @throws InvalidInput when a key is named twice.
 */
export const inOrder = <K>(places: readonly Place<K>[]): readonly K[] => {
  const keys = places.toSorted((one, other) => one.position - other.position).map(({ key }) => key);
  if (new Set(keys).size < keys.length) throw new InvalidInput({ missing: [], invalid: ['orden'], unknown: 0 });
  return keys;
};

/** All of `known`: the ordered ones first, then the others in their previous order. */
export const completed = <K>(ordered: readonly K[], all: readonly K[]): readonly K[] => [
  ...ordered,
  ...all.filter((key) => !ordered.includes(key)),
];
