import type { EmbeddingKind } from '../embedder';
import { cosine, normalise } from '../vectors';
import { REFERENCES } from './reference-vectors';

/** Vectors below this cosine with the stored ones rank differently. */
export const LEAST_COSINE = 0.998;

/** The vector of a reference: its numbers as signed bytes, in base64, up to a factor. */
const vectorOf = (bytes: string): Float32Array =>
  normalise(Float32Array.from(new Int8Array(Buffer.from(bytes, 'base64')), (byte) => byte));

/** The least cosine of vectors with the stored ones. */
export const worstCosine = async (
  embed: (text: string, kind: EmbeddingKind) => Promise<Float32Array | undefined>,
): Promise<number> => {
  let worst = 1;
  for (const reference of REFERENCES) {
    const vector = await embed(reference.text, reference.kind);
    worst = Math.min(worst, cosine(vector ?? new Float32Array(), vectorOf(reference.bytes)));
  }
  return worst;
};
