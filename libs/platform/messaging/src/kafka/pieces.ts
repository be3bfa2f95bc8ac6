import type { WrittenEvent } from './envelope';

/**
 * What is sent in one piece, in bytes: less than a broker takes as one batch where nobody told it otherwise (1 MiB), for
 * all of it may go to one partition.
 */
export const PIECE_BYTES = 768 * 1024;
/** Names of headers, identifiers, numbers and lengths: what is the same for all. */
const FRAME_BYTES = 300;

const weightOf = ({ payload, event_key: key, cause }: WrittenEvent): number =>
  Buffer.byteLength(payload) + FRAME_BYTES + 2 * key.length + cause.length;

/** Cuts a batch, in its order. What weighs more than a piece may is a piece of its own. @param weigh bytes */
export const cut = <T>(
  items: readonly T[],
  weigh: (item: T) => number,
  most = PIECE_BYTES,
): readonly (readonly T[])[] => {
  const cuts: number[] = [0];
  let weight = 0;
  for (const [index, item] of items.entries()) {
    const own = weigh(item);
    weight += own;
    if (weight <= most || index === cuts.at(-1)) continue;
    cuts.push(index);
    weight = own;
  }
  return cuts.map((from, at) => items.slice(from, cuts[at + 1]));
};

export const inPieces = <E extends WrittenEvent>(events: readonly E[], most?: number): readonly (readonly E[])[] =>
  cut(events, weightOf, most);
