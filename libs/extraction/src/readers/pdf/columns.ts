import { areColumns } from './column-evidence';
import { type Segment, topOf } from './segments';

/** A stretch across the page that nothing has covered yet, and how many segments stand on each side of it. */
interface Gutter {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

interface Band {
  readonly segments: Segment[];
  readonly gutters: readonly Gutter[];
}

/** In parts of the size of the letters. */
const LEAST_GUTTER = 0.9;
const LEAST_SIDE = 3;
const DEEPEST = 4;

const isEstablished = ({ before, after }: Gutter): boolean => before >= LEAST_SIDE && after >= LEAST_SIDE;

/** What a segment leaves of a gutter. */
const around = (gutter: Gutter, { left, right, size }: Segment): Gutter[] => {
  if (right <= gutter.from) return [{ ...gutter, before: gutter.before + 1 }];
  if (left >= gutter.to) return [{ ...gutter, after: gutter.after + 1 }];
  const pieces = [
    { ...gutter, to: left, after: gutter.after + 1 },
    { ...gutter, from: right, before: gutter.before + 1 },
  ];
  return pieces.filter(({ from, to }) => to - from >= LEAST_GUTTER * Math.min(size, 12));
};

/** Parts a region from top to bottom wherever something stands across the gutters that were there until then. */
const bandsOf = (segments: readonly Segment[]): Band[] => {
  const from = segments.reduce((least, { left }) => Math.min(least, left), Infinity);
  const to = segments.reduce((most, { right }) => Math.max(most, right), -Infinity);
  const whole: Gutter = { from, to, before: 0, after: 0 };
  const bands: Band[] = [];
  const open: Segment[] = [];
  let gutters: Gutter[] = [whole];
  for (const segment of [...segments].sort((one, other) => topOf(one) - topOf(other))) {
    const left = gutters.flatMap((gutter) => around(gutter, segment));
    const isCut = left.length === 0 || (gutters.some(isEstablished) && !left.some(isEstablished));
    if (isCut && open.length > 0) bands.push({ segments: open.splice(0), gutters });
    open.push(segment);
    gutters = isCut ? around(whole, segment) : left;
  }
  return open.length > 0 ? [...bands, { segments: open, gutters }] : bands;
};

/** The columns of a band from left to right; the band itself where it has none. */
const columnsOf = ({ segments, gutters }: Band): Segment[][] => {
  const middles = gutters
    .filter(isEstablished)
    .map(({ from, to }) => (from + to) / 2)
    .filter((middle) => areColumns(segments, middle));
  if (middles.length === 0) return [segments];
  return [-Infinity, ...middles].map((start, index) => {
    const end = middles[index] ?? Infinity;
    return segments.filter(({ left, right }) => (left + right) / 2 >= start && (left + right) / 2 < end);
  });
};

/**
 * Blocks of a page in the order in which they are read: what stands across the page parts it, and between two such
 * places columns are read one after the other. Inside a block everything is read row by row. No segment is lost.
 */
export const blocksOf = (segments: readonly Segment[], depth = 0): Segment[][] => {
  const blocks: Segment[][] = [];
  let isPlain = false;
  for (const band of segments.length > 0 ? bandsOf(segments) : []) {
    const columns = depth < DEEPEST ? columnsOf(band) : [band.segments];
    if (columns.length > 1) blocks.push(...columns.flatMap((column) => blocksOf(column, depth + 1)));
    else if (isPlain) blocks.at(-1)?.push(...band.segments);
    else blocks.push([...band.segments]);
    isPlain = columns.length === 1;
  }
  return blocks;
};
