import { bottomOf, type Segment, topOf } from './segments';

/** Segments that are read as one line. */
export interface Row {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
  readonly bold: boolean;
  /** Whether wide gaps divide it, like the cells of a table. */
  readonly hasCells: boolean;
}

/** In multiples of the letter size. */
const LEAST_OVERLAP = 0.5;
const WORD_GAP = 0.12;
const BACK = 0.3;
const CELL_GAP = 2;
const SAME_PLACE = 0.5;

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;
/** A quick test that excludes nearly all lines. */
const MAY_BE_RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;
const LETTER = /\p{L}/gu;

const overlaps = (one: Segment, other: Segment): boolean =>
  Math.min(bottomOf(one), bottomOf(other)) - Math.max(topOf(one), topOf(other)) >=
  LEAST_OVERLAP * Math.min(one.size, other.size);

const lettersIn = (segments: readonly Segment[], kind: RegExp): number =>
  segments.reduce((sum, { text }) => sum + (text.match(kind)?.length ?? 0), 0);

const isRightToLeft = (segments: readonly Segment[]): boolean =>
  segments.some(({ text }) => MAY_BE_RIGHT_TO_LEFT.test(text)) &&
  lettersIn(segments, RIGHT_TO_LEFT) * 2 > lettersIn(segments, LETTER);

/** Orders from left to right. File order decides for nearly equal positions, as with indices. */
const arrange = (segments: Segment[]): Segment[] => {
  const arranged: Segment[] = [];
  for (const segment of segments.sort((one, other) => one.order - other.order)) {
    let at = arranged.length;
    while (at > 0 && (arranged[at - 1]?.left ?? 0) > segment.left + SAME_PLACE * segment.size) at -= 1;
    arranged.splice(at, 0, segment);
  }
  return arranged;
};

const gapBetween = (one: Segment, other: Segment): number => {
  const [left, right] = one.left <= other.left ? [one, other] : [other, one];
  return (right.left - left.right) / Math.max(one.size, other.size);
};

const rowOf = (segments: readonly Segment[]): Row => {
  const first = segments[0];
  const longest = segments.reduce((most, segment) => (segment.text.length > most.text.length ? segment : most));
  const gaps = segments.slice(1).map((segment, index) => gapBetween(segments[index] ?? segment, segment));
  const text = segments.slice(1).reduce((written, segment, index) => {
    const gap = gaps[index] ?? 0;
    return `${written}${gap > WORD_GAP || gap < -BACK ? ' ' : ''}${segment.text}`;
  }, first?.text ?? '');
  return {
    text,
    left: segments.reduce((least, { left }) => Math.min(least, left), Infinity),
    right: segments.reduce((most, { right }) => Math.max(most, right), -Infinity),
    base: longest.base,
    size: longest.size,
    bold: longest.bold,
    hasCells: gaps.some((gap) => gap > CELL_GAP),
  };
};

/** The rows of a block from top to bottom. Superscripts and subscripts belong to the row beside them. */
export const rowsOf = (block: readonly Segment[]): Row[] => {
  const rows: { core: Segment; segments: Segment[] }[] = [];
  for (const segment of [...block].sort((one, other) => one.base - other.base)) {
    const row = rows.at(-1);
    if (row !== undefined && overlaps(row.core, segment)) {
      row.segments.push(segment);
      if (segment.size > row.core.size) row.core = segment;
    } else rows.push({ core: segment, segments: [segment] });
  }
  return rows.map(({ segments }) => {
    const arranged = arrange(segments);
    return rowOf(isRightToLeft(arranged) ? arranged.reverse() : arranged);
  });
};
