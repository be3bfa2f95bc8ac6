import type { AcquiredFile } from '../../src/reader';

/** Numbers that look like chance and are the same for the same seed: mulberry32. */
export const chance = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Mutate = (bytes: Buffer, random: () => number, donor: Buffer) => Buffer;

const below = (random: () => number, most: number): number => Math.floor(random() * most);

const flip: Mutate = (bytes, random) => {
  const copy = Buffer.from(bytes);
  const count = 1 + below(random, 24);
  for (let index = 0; index < count && copy.length > 0; index += 1) {
    const at = below(random, copy.length);
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << below(random, 8)), at);
  }
  return copy;
};

const truncate: Mutate = (bytes, random) => bytes.subarray(0, below(random, bytes.length));

const splice: Mutate = (bytes, random, donor) =>
  Buffer.concat([bytes.subarray(0, below(random, bytes.length)), donor.subarray(below(random, donor.length))]);

const repeat: Mutate = (bytes, random) => {
  const from = below(random, bytes.length);
  const piece = bytes.subarray(from, from + 1 + below(random, 200));
  const copies = Array.from({ length: 1 + below(random, 200) }, () => piece);
  return Buffer.concat([bytes.subarray(0, from), ...copies, bytes.subarray(from)]);
};

const mutations: readonly Mutate[] = [flip, flip, truncate, splice, repeat];

/** The file with this number among the files that are made of samples by chance: each has its own number. */
export const mutant = (samples: readonly AcquiredFile[], number: number): AcquiredFile => {
  const random = chance(number);
  const [sample, donor] = [samples[number % samples.length], samples[below(random, samples.length)]];
  const mutate = mutations[below(random, mutations.length)];
  if (sample === undefined || donor === undefined || mutate === undefined) throw new Error('There are no samples.');
  return { name: sample.name, bytes: mutate(sample.bytes, random, donor.bytes) };
};
