import { PreparedChunks, revive } from '@acervo/contracts';

/** Chunks and their vectors as they were handed over. */
export interface EarlierBytes {
  readonly chunks: Uint8Array;
  readonly vectors: Uint8Array;
}

/** The vectors of some passages: known ones in their places, and the texts that remain to embed. */
export interface VectorPlan {
  /** Little-endian float32, `dimension` numbers a passage, in order. */
  readonly vectors: Uint8Array;
  readonly dimension: number;
  /** The texts to embed, each once. */
  readonly texts: readonly string[];
  /** The passages of each text. */
  readonly places: readonly (readonly number[])[];
}

const BYTES = 4;

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The text that is embedded for each passage, in order: its headings and its text. */
export const passagesOf = (chunks: Uint8Array): string[] =>
  revive(PreparedChunks, JSON.parse(asBuffer(chunks).toString('utf8'))).chunks.map(({ context, text }) =>
    context === '' ? text : `${context}\n${text}`,
  );

/** The vectors of earlier passages, by their texts; empty where vectors and passages do not belong together. */
const knownVectors = (earlier: EarlierBytes | null, size: number): ReadonlyMap<string, Uint8Array> => {
  if (earlier === null) return new Map();
  const texts = passagesOf(earlier.chunks);
  if (earlier.vectors.length !== texts.length * size) return new Map();
  return new Map(texts.map((text, place) => [text, earlier.vectors.subarray(place * size, (place + 1) * size)]));
};

/** Gives passages the earlier vectors of equal texts, and lists the texts that remain. */
export const planVectors = (chunks: Uint8Array, dimension: number, earlier: EarlierBytes | null): VectorPlan => {
  const size = dimension * BYTES;
  const passages = passagesOf(chunks);
  const vectorsByPassage = knownVectors(earlier, size);
  const vectors = Buffer.alloc(passages.length * size);
  const left = new Map<string, number[]>();
  passages.forEach((text, place) => {
    const vector = vectorsByPassage.get(text);
    if (vector !== undefined) vectors.set(vector, place * size);
    else left.set(text, [...(left.get(text) ?? []), place]);
  });
  return { vectors, dimension, texts: [...left.keys()], places: [...left.values()] };
};

/** All vectors, once the remaining texts are embedded; `made` is in the order of the texts. */
export const filledIn = ({ vectors, dimension, places }: VectorPlan, made: readonly Float32Array[]): Uint8Array => {
  const bytes = asBuffer(vectors);
  places.forEach((of, index) => {
    const vector = made[index];
    if (vector?.length !== dimension)
      throw new Error('The embedder returned too few vectors, or vectors of another dimension.');
    for (const place of of) vector.forEach((value, at) => bytes.writeFloatLE(value, (place * dimension + at) * BYTES));
  });
  return bytes;
};
