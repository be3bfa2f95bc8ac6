import { exponential, withJitter } from '../src';

describe('an exponential wait', () => {
  it('a wait doubles with each failure', () => {
    expect([1, 2, 3, 4].map((failures) => exponential(failures, 100))).toEqual([100, 200, 400, 800]);
  });
  it('a wait never exceeds the longest', () => {
    expect([3, 4, 2_000].map((failures) => exponential(failures, 100, 500))).toEqual([400, 500, 500]);
  });
  it('jitter spreads a wait over its upper half', () => {
    const waits = Array.from({ length: 200 }, () => withJitter(1_000));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
    expect(new Set(waits).size).toBeGreaterThan(100);
  });
});
