import type { Segment } from './segments';

interface Side {
  readonly rows: number;
  readonly lettersInRow: number;
  /** Share of its rows that reach nearly from edge to edge. */
  readonly filled: number;
}

const LEAST_ROWS = 3;
const LEAST_LETTERS = 14;
const PROSE_LETTERS = 20;
const REACHING = 0.7;
const MOSTLY = 0.55;
/** Maximum changes of side per row, in file order, for a file that is written column by column. */
const FEW_CHANGES = 0.3;

const sideOf = (segments: readonly Segment[]): Side => {
  const rows = new Map<number, { left: number; right: number }>();
  let letters = 0;
  for (const { text, base, left, right } of segments) {
    const row = rows.get(Math.round(base));
    rows.set(Math.round(base), {
      left: Math.min(left, row?.left ?? left),
      right: Math.max(right, row?.right ?? right),
    });
    letters += text.length;
  }
  const extents = [...rows.values()];
  const from = extents.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = extents.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const reaching = extents.filter(({ left, right }) => right - left >= REACHING * (to - from));
  return { rows: rows.size, lettersInRow: letters / rows.size, filled: reaching.length / rows.size };
};

const isProse = ({ lettersInRow, filled }: Side): boolean => lettersInRow >= PROSE_LETTERS && filled >= MOSTLY;

/**
 * Whether a vertical gap separates columns of text, not cells of a table. Both sides need enough text. Either the file
 * writes one side after the other, or both sides are filled from edge to edge, as prose is.
 *
 * @param segments in any order that keeps file order within one row
 */
export const areColumns = (segments: readonly Segment[], middle: number): boolean => {
  const isLeft = ({ left, right }: Segment): boolean => (left + right) / 2 < middle;
  const left = sideOf(segments.filter(isLeft));
  const right = sideOf(segments.filter((segment) => !isLeft(segment)));
  const rows = Math.min(left.rows, right.rows);
  if (rows < LEAST_ROWS || Math.min(left.lettersInRow, right.lettersInRow) < LEAST_LETTERS) return false;
  if (isProse(left) && isProse(right)) return true;
  const inFile = [...segments].sort((one, other) => one.order - other.order).map(isLeft);
  const changes = inFile.filter((side, index) => index > 0 && side !== inFile[index - 1]).length;
  return changes <= 1 + FEW_CHANGES * rows;
};
