import type { Embedder } from './embedder';
import { HashingEmbedder } from './hashing-embedder';

const makers: Readonly<Record<string, () => Embedder>> = { hashing: () => new HashingEmbedder() };

export const embedderNames = Object.keys(makers);

/** The embedder of a name. @throws for an unknown name; the message lists the known ones. */
export const embedderByName = (name: string): Embedder => {
  const make = makers[name];
  if (make === undefined) throw new Error(`There is no embedder ${name}; there is ${embedderNames.join(', ')}.`);
  return make();
};
