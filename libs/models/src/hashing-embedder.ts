import { fold } from '@acervo/analysis';
import { Embedder, type EmbeddingModel } from './embedder';
import { HASHING } from './embedder-settings';
import { hashedStems } from './hashed-stems';
import { normalise } from './vectors';

const DIMENSION = HASHING.dimension;
/** A stem carries more meaning than a piece of a word. Pieces connect spellings and languages. */
const WEIGHT = { stem: 1, piece: 0.35 } as const;
const PIECES = [3, 4, 5] as const;
const WORD = /[\p{L}\p{N}]{2,}/gu;

/** FNV-1a over UTF-16 code units, 32 bits: the same on every machine, and fast. */
const hash = (text: string, seed: number): number => {
  let value = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
};

const counted = (features: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
};

function* piecesOf(text: string): Iterable<string> {
  for (const [word] of fold(text).matchAll(WORD)) {
    const marked = `<${word}>`;
    for (const size of PIECES) for (let at = 0; at + size <= marked.length; at += 1) yield marked.slice(at, at + size);
  }
}

/** Adds features to a vector, each at two places with a sign, so that collisions cancel out. */
const add = (vector: Float32Array, features: Iterable<string>, seed: number, weight: number): void => {
  for (const [feature, count] of counted(features)) {
    const strength = weight * (1 + Math.log(count));
    for (const turn of [0, 1]) {
      const value = hash(feature, seed + turn);
      const place = (value >>> 1) % DIMENSION;
      vector[place] = (vector[place] ?? 0) + ((value & 1) === 0 ? strength : -strength);
    }
  }
};

/**
 * Hashes the words of a text into a vector: stems of both languages and pieces of words. Built in, and deterministic on
 * every machine. It covers spellings and inflections, but no meaning: a model replaces it where one can run.
 */
export class HashingEmbedder extends Embedder {
  override readonly meaning: number = 0;
  readonly embeddingModel: EmbeddingModel = {
    model: HASHING.model,
    revision: HASHING.revision,
    dimension: DIMENSION,
    floor: HASHING.floor,
  };

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return Promise.resolve(texts.map((text) => this.vector(text)));
  }

  private vector(text: string): Float32Array {
    const vector = new Float32Array(DIMENSION);
    add(vector, hashedStems(text), 1, WEIGHT.stem);
    add(vector, piecesOf(text), 7, WEIGHT.piece);
    return normalise(vector);
  }
}
