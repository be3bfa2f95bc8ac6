import { EmbedderAnswerUnusable } from './embedder.errors';

/** The same direction with length 1. A zero vector becomes a vector that no text with words has. */
export const normalise = (vector: Float32Array): Float32Array => {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (!Number.isFinite(sum)) throw new EmbedderAnswerUnusable('a vector holds something that is no number');
  if (sum === 0) {
    vector[0] = 1;
    return vector;
  }
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
};

/** The cosine of two vectors of length 1. */
export const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Vectors as bytes of a hand-over: little-endian float32, one after the other. */
export const vectorBytes = (vectors: readonly Float32Array[]): Buffer => {
  const size = vectors.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafe(size * 4);
  let offset = 0;
  for (const vector of vectors) for (const value of vector) offset = bytes.writeFloatLE(value, offset);
  return bytes;
};
