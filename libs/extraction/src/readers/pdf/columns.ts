import { areColumns } from './column-evidence';
import { bottomOf, type Segment, topOf } from './segments';

/** A vertical range of the page that a line divides without crossing a segment, as indices into a list. */
interface Band {
  readonly middle: number;
  readonly start: number;
  readonly end: number;
}

/** In multiples of the letter size. */
const HALF_GUTTER = 0.5;
const WIDE_GAP = 2;

const LEAST_SIDE = 3;
const MOST_PLACES = 16;
const DEEPEST = 12;
const USUAL_SIZE = 12;

const isLeftOf = ({ left, right }: Segment, middle: number): boolean => (left + right) / 2 < middle;

const crosses = ({ left, right }: Segment, middle: number): boolean => left < middle && right > middle;

/** Vertical lines just before positions where several segments begin: candidates for gutters. */
const middlesIn = (segments: readonly Segment[]): number[] => {
  const places = new Map<number, { count: number; middle: number }>();
  for (const { left, size } of segments) {
    const key = Math.round(left / 2);
    const middle = left - HALF_GUTTER * Math.min(size, USUAL_SIZE);
    const seen = places.get(key);
    places.set(key, { count: (seen?.count ?? 0) + 1, middle: Math.min(middle, seen?.middle ?? middle) });
  }
  const usual = [...places.values()].filter(({ count }) => count >= LEAST_SIDE);
  const most = usual.sort((one, other) => other.count - one.count).slice(0, MOST_PLACES);
  return most.map(({ middle }) => middle);
};

/** The bands of a line, limited to the range with enough segments on both sides. */
const bandsAt = (segments: readonly Segment[], middle: number): Band[] => {
  const bands: Band[] = [];
  let start = 0;
  let left = 0;
  for (let index = 0; index <= segments.length; index += 1) {
    const segment = segments[index];
    if (segment === undefined || crosses(segment, middle)) {
      if (Math.min(left, index - start - left) >= LEAST_SIDE) bands.push({ middle, start, end: index });
      start = index + 1;
      left = 0;
    } else if (isLeftOf(segment, middle)) left += 1;
  }
  return bands;
};

/** The number of segments on the emptier side of a band. */
const strengthOf = (segments: readonly Segment[], { middle, start, end }: Band): number => {
  const left = segments.slice(start, end).filter((segment) => isLeftOf(segment, middle)).length;
  return Math.min(left, end - start - left);
};

/** Whether space precedes a segment, as between a header and the text below it. */
const isApart = (segments: readonly Segment[], { start }: Band, index: number): boolean => {
  const below = segments[index];
  const bottom = segments.slice(start, index).reduce((lowest, one) => Math.max(lowest, bottomOf(one)), -Infinity);
  return below !== undefined && topOf(below) - bottom > WIDE_GAP * below.size;
};

/** Removes a distant header or footer, which does not belong to the columns. */
const trimmed = (segments: readonly Segment[], band: Band): Band => {
  const [heads = 0] = [2, 1].filter((count) => isApart(segments, band, band.start + count));
  const [feet = 0] = [2, 1].filter((count) => isApart(segments, band, band.end - count));
  return { ...band, start: band.start + heads, end: band.end - feet };
};

/** The band with the most segments in columns of text; undefined without one. */
const bestBand = (segments: readonly Segment[]): Band | undefined =>
  middlesIn(segments)
    .flatMap((middle) => bandsAt(segments, middle))
    .map((band) => trimmed(segments, band))
    .map((band) => ({ band, strength: strengthOf(segments, band) }))
    .filter(({ strength }) => strength >= LEAST_SIDE)
    .sort((one, other) => other.strength - one.strength)
    .find(({ band }) => areColumns(segments.slice(band.start, band.end), band.middle))?.band;

const split = (segments: readonly Segment[], depth: number): Segment[][] => {
  const band = depth < DEEPEST ? bestBand(segments) : undefined;
  if (band === undefined) return segments.length === 0 ? [] : [[...segments]];
  const within = segments.slice(band.start, band.end);
  return [
    segments.slice(0, band.start),
    within.filter((segment) => isLeftOf(segment, band.middle)),
    within.filter((segment) => !isLeftOf(segment, band.middle)),
    segments.slice(band.end),
  ].flatMap((part) => split(part, depth + 1));
};

/**
 * Blocks of a page in reading order. Segments across the page divide it; between two of them, columns are read one
 * after the other. Inside a block, reading goes row by row. No segment is lost.
 */
export const blocksOf = (segments: readonly Segment[]): Segment[][] =>
  split(
    [...segments].sort((one, other) => topOf(one) - topOf(other)),
    0,
  );
