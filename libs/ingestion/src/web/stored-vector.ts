import { normalise } from '@acervo/models';

const MOST = 127;

/** A vector as text, in a byte for each number: a page is ranked among others long after it was read. */
export const vectorText = (vector: Float32Array): string => {
  const most = vector.reduce((value, each) => Math.max(value, Math.abs(each)), Number.EPSILON);
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / most) * MOST)).buffer).toString('base64');
};

/** The direction of a stored vector, with length 1. */
export const storedVector = (text: string): Float32Array =>
  normalise(Float32Array.from(new Int8Array(Buffer.from(text, 'base64'))));
