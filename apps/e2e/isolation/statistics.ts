import { randomInt } from 'node:crypto';

/** Random order of a pair. */
export const deciding = (): boolean => randomInt(2) === 0;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Area under the curve of two samples (Mann-Whitney): 0.5 if they are indistinguishable. */
export const auc = (one: readonly number[], other: readonly number[]): number => {
  const ranked = [...one.map((value) => ({ value, of: 1 })), ...other.map((value) => ({ value, of: 0 }))].toSorted(
    (a, b) => a.value - b.value,
  );
  const sum = ranked.reduce((total, { of }, index) => total + (of === 1 ? index + 1 : 0), 0);
  return (sum - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
};

/** Confidence interval of the median difference at 95 %, by the ranks of the sign test. */
export const pairedBounds = (differences: readonly number[]): readonly [number, number] => {
  const sorted = differences.toSorted((a, b) => a - b);
  const half = 0.98 * Math.sqrt(sorted.length);
  const at = (rank: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(rank)))] ?? 0;
  return [at(sorted.length / 2 - half), at(sorted.length / 2 + half)];
};
