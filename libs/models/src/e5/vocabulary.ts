import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The arrays of a vocabulary, in the order of its file. */
const ARRAYS = ['marks', 'first', 'label', 'id', 'scores', 'keys', 'starts', 'values'] as const;
type ArrayName = (typeof ARRAYS)[number];

export type VocabularyArrays = Readonly<Record<Exclude<ArrayName, 'scores'>, Int32Array>> & {
  readonly scores: Float32Array;
};

const BYTES = 4;

/** Vocabulary as a file: the length of each array, then the arrays. */
export const vocabularyBytes = (arrays: VocabularyArrays): Buffer => {
  const all = ARRAYS.map((name) => arrays[name]);
  const parts = [Int32Array.from(all, ({ length }) => length), ...all];
  return Buffer.concat(parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)));
};

/**
 * Tokens of the model: a trie of their code points with scores, and the normalisation of single code points. All of it
 * lies in one buffer, which threads share.
 */
export class Vocabulary {
  readonly bos: number;
  readonly eos: number;
  readonly unknown: number;
  /** Score of a code point that no token covers. */
  readonly unknownScore: number;
  readonly scores: Float32Array;
  private readonly first: Int32Array;
  private readonly label: Int32Array;
  private readonly id: Int32Array;
  private readonly normalisation = new Map<number, Int32Array>();

  constructor(buffer: SharedArrayBuffer) {
    const lengths = new Int32Array(buffer, 0, ARRAYS.length);
    let at = lengths.byteLength;
    const places = ARRAYS.map((name, index) => {
      const place = { name, at, length: lengths[index] ?? 0 };
      at += place.length * BYTES;
      return place;
    });
    const integers = (name: ArrayName): Int32Array => {
      const place = places.find((each) => each.name === name);
      return new Int32Array(buffer, place?.at, place?.length);
    };
    const scores = integers('scores');
    [this.bos = 0, this.eos = 0, this.unknown = 0] = integers('marks');
    [this.first, this.label, this.id] = [integers('first'), integers('label'), integers('id')];
    this.scores = new Float32Array(buffer, scores.byteOffset, scores.length);
    this.unknownScore = Math.fround(this.scores.reduce((least, score) => Math.min(least, score), Infinity) - 10);
    const [keys, starts, values] = [integers('keys'), integers('starts'), integers('values')];
    for (const [index, key] of keys.entries())
      this.normalisation.set(key, values.subarray(starts[index], starts[index + 1]));
  }

  /** What the tokenizer reads instead of a code point; undefined for the code point itself. */
  normalised(point: number): Int32Array | undefined {
    return this.normalisation.get(point);
  }

  /** The child of a trie node, -1 if there is none. The root is node 0. */
  child(node: number, point: number): number {
    let [low, high] = [this.first[node] ?? 0, (this.first[node + 1] ?? 0) - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const label = this.label[middle] ?? 0;
      if (label === point) return middle;
      if (label < point) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The token that ends at a trie node, -1 if none does. */
  tokenAt(node: number): number {
    return this.id[node] ?? -1;
  }
}

/** The content of the vocabulary of a converted model, for threads to share. */
export const readVocabulary = (directory: string): SharedArrayBuffer => {
  const bytes = readFileSync(join(directory, 'vocabulary.bin'));
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
};
