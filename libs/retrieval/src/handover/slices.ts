import type { SliceSize } from '@acervo/platform-database';
import type { Failpoints } from '@acervo/platform-messaging';
import type { Lease, LeaseKeeper } from '@acervo/platform-queue';

/** Rows of one owner in a slice: from one place to before another one. */
export interface SlicePart<T> {
  readonly of: T;
  readonly from: number;
  readonly to: number;
}

/**
 * Divides the rows of several owners into slices of at most `most()` rows, in their order; it is asked before each
 * slice. An owner without rows is a part of its own.
 */
export function* slicesOf<T>(
  owners: readonly T[],
  countOf: (owner: T) => number,
  most: () => number,
): Generator<readonly SlicePart<T>[], void> {
  let parts: SlicePart<T>[] = [];
  let room = most();
  for (const of of owners) {
    const count = countOf(of);
    let from = 0;
    do {
      const to = Math.min(count, from + room);
      parts.push({ of, from, to });
      room -= to - from;
      from = to;
      if (room > 0) continue;
      yield parts;
      [parts, room] = [[], most()];
    } while (from < count);
  }
  if (parts.length > 0) yield parts;
}

/** How rows of several leases are loaded. */
export interface SlicedLoad<T> {
  readonly size: SliceSize;
  readonly keeper: LeaseKeeper;
  readonly failpoints: Failpoints;
  readonly countOf: (owner: T) => number;
  /** Writes one slice in a transaction; answers the owners that are written no further. */
  readonly write: (parts: readonly SlicePart<T>[]) => Promise<readonly T[]>;
}

/** Writes the rows of leased owners one after the other; a transaction takes as many as fit. Answers those it wrote. */
export const loadInSlices = async <T extends { readonly lease: Lease }>(
  owners: readonly T[],
  { size, keeper, failpoints, countOf, write }: SlicedLoad<T>,
): Promise<readonly T[]> => {
  const over = new Set<T>();
  for (const slice of slicesOf(owners, countOf, () => size.now)) {
    const parts = slice.filter(({ of }) => !over.has(of));
    const [first] = parts;
    if (first === undefined) continue;
    const started = performance.now();
    for (const each of await write(parts)) over.add(each);
    const took = performance.now() - started;
    size.took(
      parts.reduce((sum, { from, to }) => sum + to - from, 0),
      took,
    );
    failpoints.hit('handover.middle');
    await keeper.keep(first.of.lease);
    await size.rest(took);
  }
  return owners.filter((each) => !over.has(each));
};
