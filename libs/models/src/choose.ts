import type { Embedder } from './embedder';
import { HashingEmbedder } from './hashing-embedder';

const known: Readonly<Record<string, () => Embedder>> = { hashing: () => new HashingEmbedder() };

export const embedderNames = Object.keys(known);

/** The embedder of a name. @throws for a name that does not exist, saying which do. */
export const embedderByName = (name: string): Embedder => {
  const make = known[name];
  if (make === undefined) throw new Error(`There is no embedder ${name}; there is ${embedderNames.join(', ')}.`);
  return make();
};
