import fc from 'fast-check';
import { planScans, type RootDue } from './rescan-plan';

const EVERY_MS = 900_000;
const root = (code: string, dueInMs: number, isAtWork = false): RootDue => ({ code, dueInMs, isAtWork });

describe('the plan of rescans', () => {
  it('begins nothing before its time, and looks again when the first one is due', () => {
    const roots = [root('L1', 600_000), root('L2', 20_000), root('L3', 5_000, true)];
    expect(planScans(roots, EVERY_MS)).toEqual({ now: [], nextLookMs: 20_000 });
  });
  it('begins with the root that has waited longest, and leaves the others their part of the time', () => {
    const roots = [root('L1', -10), root('L2', -5_000), root('L3', -20)];
    expect(planScans(roots, EVERY_MS)).toEqual({ now: ['L2'], nextLookMs: 300_000 });
  });
  it('leaves a root alone while a scan of it waits or is under way', () => {
    expect(planScans([root('L1', -7_000_000, true)], EVERY_MS)).toEqual({ now: [], nextLookMs: EVERY_MS });
  });
  it('begins several at once where there are very many', () => {
    const roots = Array.from({ length: 900 }, (_, index) => root(`L${index}`, -index));
    const { now, nextLookMs } = planScans(roots, EVERY_MS);
    expect([now.length, now[0], nextLookMs]).toEqual([30, 'L899', 30_000]);
  });
  it('looks at least every 15 minutes, because the time between two scans may be set anew', () => {
    expect(planScans([root('L1', 500_000_000)], 604_800_000)).toEqual({ now: [], nextLookMs: 900_000 });
  });

  it('scans every root once in that time and none twice, however many were due together', () => {
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
