// Whether a series of samples grows: Theil-Sen slope with its confidence, which outliers of single samples do not move.

const HOUR_MS = 3_600_000;
/** Two-sided normal quantile of 95 %. */
const Z = 1.96;
/** More samples are thinned: the number of pairs grows with their square. */
const MOST_SAMPLES = 600;

const sorted = (values) => [...values].sort((a, b) => a - b);
export const median = (values) => {
  const ordered = sorted(values);
  const middle = Math.floor(ordered.length / 2);
  return ordered.length % 2 === 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2;
};

const thinned = (samples) => {
  const step = Math.ceil(samples.length / MOST_SAMPLES);
  return samples.filter((_, index) => index % step === 0);
};

/** The slopes between all pairs of samples, in order. */
const slopesOf = (samples) => {
  const slopes = [];
  for (const [index, { at, value }] of samples.entries())
    for (const later of samples.slice(index + 1)) slopes.push((later.value - value) / (later.at - at));
  return sorted(slopes);
};

/**
 * Slope of samples in percent of their median an hour, with the bounds of 95 % (Sen 1968, by the variance of Kendall's
 * S). With fewer than 8 samples nothing is known: the bounds are infinite.
 */
export const trendOf = (all) => {
  const samples = thinned(all);
  const n = samples.length;
  if (n < 8)
    return { slope: 0, low: -Infinity, high: Infinity, level: n === 0 ? 0 : median(samples.map(({ value }) => value)) };
  const level = median(samples.map(({ value }) => value));
  const slopes = slopesOf(samples);
  const inPercent = (slope) => (level === 0 ? 0 : (100 * slope * HOUR_MS) / level);
  const spread = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (place) => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(place)))];
  return {
    slope: inPercent(median(slopes)),
    low: inPercent(at((slopes.length - spread) / 2)),
    high: inPercent(at((slopes.length + spread) / 2)),
    level,
  };
};

/** Percent an hour that memory may grow. */
export const MOST_SLOPE = 1;
/** From this length of a run on, the slope itself decides; before, caches still fill. */
const LONG_MS = 4 * HOUR_MS;
/** A run below this length says nothing about memory: processes have just started. */
const LEAST_MS = HOUR_MS / 4;
/** Growth that has fallen below this share of what it was levels off. */
const LEVELLED = 0.5;

/**
 * Whether memory grows for good; undefined after a few minutes, which tell nothing. A long run fails by the slope of its last half. A short one fails where the last half
 * grows and has not levelled off against the first.
 */
export const verdictOn = (samples) => {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined)
    return { grows: undefined, isShort: true, first: trendOf([]), last: trendOf([]) };
  const half = (first.at + last.at) / 2;
  const [before, after] = [
    trendOf(samples.filter(({ at }) => at < half)),
    trendOf(samples.filter(({ at }) => at >= half)),
  ];
  const lengthMs = last.at - first.at;
  const isShort = lengthMs < LONG_MS;
  const isRising = after.low > MOST_SLOPE;
  const levelsOff = after.slope <= before.slope * LEVELLED;
  const grows = lengthMs < LEAST_MS ? undefined : isRising && !(isShort && levelsOff);
  return { grows, levelsOff, isShort, first: before, last: after };
};

/** Whether a count grows: its median in the last quarter, beside that of the second. */
export const countGrowth = (values, { share = 0.1, least = 20 } = {}) => {
  const quarter = Math.floor(values.length / 4);
  if (quarter === 0) return { before: values.at(-1) ?? 0, after: values.at(-1) ?? 0, grows: false };
  const [before, after] = [median(values.slice(quarter, 2 * quarter)), median(values.slice(-quarter))];
  return { before, after, grows: after - before > Math.max(least, share * before) };
};
