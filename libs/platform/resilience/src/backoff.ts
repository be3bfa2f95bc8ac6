/** Wait after so many failures in a row, from 1: it doubles each time and never exceeds the longest. */
export const exponential = (failures: number, firstMs: number, longestMs = Infinity): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1));

/** Spreads a wait over its upper half, so that clients which failed together do not return together. */
export const withJitter = (ms: number): number => ms * (0.5 + Math.random() / 2);
