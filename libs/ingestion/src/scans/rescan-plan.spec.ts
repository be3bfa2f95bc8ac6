import fc from 'fast-check';
import { planScans, type RootDue } from './rescan-plan';

const EVERY_MS = 900_000;
const root = (code: string, dueInMs: number, isAtWork = false): RootDue => ({ code, dueInMs, isAtWork });

describe('the plan of rescans', () => {
  it('no scan begins before it is due; the next check comes then', () => {
    const roots = [root('L1', 600_000), root('L2', 20_000), root('L3', 5_000, true)];
    expect(planScans(roots, EVERY_MS)).toEqual({ now: [], nextLookMs: 20_000 });
  });
  it('the longest overdue root begins, the others are spread', () => {
    const roots = [root('L1', -10), root('L2', -5_000), root('L3', -20)];
    expect(planScans(roots, EVERY_MS)).toEqual({ now: ['L2'], nextLookMs: 300_000 });
  });
  it('a root with a waiting or running scan is left alone', () => {
    expect(planScans([root('L1', -7_000_000, true)], EVERY_MS)).toEqual({ now: [], nextLookMs: EVERY_MS });
  });
  it('several scans begin at once where there are many roots', () => {
    const roots = Array.from({ length: 900 }, (_, index) => root(`L${index}`, -index));
    const { now, nextLookMs } = planScans(roots, EVERY_MS);
    expect([now.length, now[0], nextLookMs]).toEqual([30, 'L899', 30_000]);
  });
  it('checks are at most 15 minutes apart, as the interval may change', () => {
    expect(planScans([root('L1', 500_000_000)], 604_800_000)).toEqual({ now: [], nextLookMs: 900_000 });
  });

  it('every root is scanned once per interval, however many are due together', () => {
    const counts = fc.integer({ min: 1, max: 120 });
    const times = fc.integer({ min: 10_000, max: 3_600_000 });
    fc.assert(
      fc.property(counts, times, (count, everyMs) => {
        const scannedAt = new Map(Array.from({ length: count }, (_, index) => [`L${index}`, -10 * everyMs]));
        const begun: string[] = [];
        for (let now = 0; now < everyMs;) {
          const due = [...scannedAt].map(([code, at]) => root(code, at + everyMs - now));
          const plan = planScans(due, everyMs);
          for (const code of plan.now) scannedAt.set(code, now);
          begun.push(...plan.now);
          now += plan.nextLookMs;
        }
        expect([begun.length, new Set(begun).size]).toEqual([count, count]);
      }),
    );
  });
});
