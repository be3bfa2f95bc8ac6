// Statistics of times, and the load of the machine.
import { loadavg } from 'node:os';

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

/** Median, 95th percentile, maximum and number of some times. */
export const figures = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), most: sorted.at(-1) ?? NaN, n: sorted.length };
};

export const show = (name, { p50, p95, n }) =>
  process.stdout.write(
    `${name.padEnd(34)} p50 ${p50.toFixed(2).padStart(7)} ms   p95 ${p95.toFixed(2).padStart(7)} ms   N ${n}\n`,
  );

export const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** The load of the whole machine, printed beside a figure. */
export const load = () => `load average ${loadavg()[0].toFixed(1)}`;
