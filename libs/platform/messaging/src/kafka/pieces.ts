import type { WrittenEvent } from './envelope';

/**
 * Largest request in bytes. All of it may go to one partition, so it is less than a broker's default limit of a batch
 * (1 MiB).
 */
export const PIECE_BYTES = 768 * 1024;
/** Constant overhead of a message: names of headers, identifiers, numbers, lengths and the signature. */
const FRAME_BYTES = 450;

const weightOf = ({ payload, event_key: key, cause }: WrittenEvent): number =>
  Buffer.byteLength(payload) + FRAME_BYTES + 2 * key.length + cause.length;

/**
 * Cuts a batch into pieces, in its order. An item above the limit is a piece of its own. @param weigh bytes of an item
 */
export const cut = <T>(
  items: readonly T[],
  weigh: (item: T) => number,
  most = PIECE_BYTES,
): readonly (readonly T[])[] => {
  const cuts: number[] = [0];
  let weight = 0;
  for (const [index, item] of items.entries()) {
    const itemWeight = weigh(item);
    weight += itemWeight;
    if (weight <= most || index === cuts.at(-1)) continue;
    cuts.push(index);
    weight = itemWeight;
  }
  return cuts.map((from, at) => items.slice(from, cuts[at + 1]));
};

export const inPieces = <E extends WrittenEvent>(events: readonly E[], most?: number): readonly (readonly E[])[] =>
  cut(events, weightOf, most);
