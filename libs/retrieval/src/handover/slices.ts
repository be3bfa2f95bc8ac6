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
