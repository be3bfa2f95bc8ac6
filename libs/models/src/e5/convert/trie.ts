import type { Pieces } from './weights-file';

/** A node of the trie: the sorted pieces that share a beginning of `depth` code points. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  readonly label: number;
}

interface Piece {
  readonly id: number;
  readonly points: readonly number[];
}

const byPoints = (a: Piece, b: Piece): number => {
  const length = Math.min(a.points.length, b.points.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (a.points[index] ?? 0) - (b.points[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.points.length - b.points.length || a.id - b.id;
};

/** Groups the pieces of a node by their next code point; equal beginnings lie side by side. */
const childrenOf = (sorted: readonly Piece[], { from, to, depth }: Range): Range[] => {
  const children: Range[] = [];
  for (let start = from; start < to;) {
    const label = sorted[start]?.points[depth];
    let end = start + 1;
    while (end < to && sorted[end]?.points[depth] === label) end += 1;
    if (label !== undefined) children.push({ from: start, to: end, depth: depth + 1, label });
    start = end;
  }
  return children;
};

/**
 * The trie of the pieces: nodes in order of depth, the children of one node side by side and sorted by label. A piece
 * that occurs twice counts once, with its first id. `unknown` is no piece.
 */
export const trieOf = ({
  texts,
  unknown,
}: Pick<Pieces, 'texts' | 'unknown'>): Record<'first' | 'label' | 'id', Int32Array> => {
  const pieces = texts.map((text, id): Piece => ({
    id,
    points: Array.from(text, (point) => point.codePointAt(0) ?? 0),
  }));
  const sorted = pieces.filter(({ id }) => id !== unknown).toSorted(byPoints);
  const nodes: Range[] = [{ from: 0, to: sorted.length, depth: 0, label: 0 }];
  const [first, id]: [number[], number[]] = [[], []];
  for (let node = 0; node < nodes.length; node += 1) {
    const range = nodes[node];
    if (range === undefined) break;
    const start = sorted[range.from];
    id.push(start?.points.length === range.depth && range.depth > 0 ? start.id : -1);
    first.push(nodes.length);
    nodes.push(...childrenOf(sorted, range));
  }
  first.push(nodes.length);
  return {
    first: Int32Array.from(first),
    label: Int32Array.from(nodes, ({ label }) => label),
    id: Int32Array.from(id),
  };
};
