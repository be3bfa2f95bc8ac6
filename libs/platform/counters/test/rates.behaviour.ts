import { setTimeout as pause } from 'node:timers/promises';
import type { Counted, Rate, Rates } from '../src';

const SLOW: Rate = { perMinute: 1, burst: 5 };

/** The behaviour of every adapter. */
export const behavesLikeRates = (name: string, open: () => Promise<Rates>): void =>
  describe(`${name} rates`, () => {
    let rates: Rates;
    beforeAll(async () => {
      rates = await open();
    }, 60_000);

    const admit = (key: string, rate = SLOW): Promise<Counted> => rates.admit([{ name: key, rate }]);
    const admitted = async (key: string, times: number, rate = SLOW): Promise<number> => {
      const all = await Promise.all(Array.from({ length: times }, () => admit(key, rate)));
      return all.filter((one) => one.admitted).length;
    };

    it('forty concurrent requests get exactly the burst', async () => {
      expect(await admitted('burst', 40)).toBe(5);
      expect(await admitted('another', 3)).toBe(3);
    });
    it('a refusal names the wait for the next request', async () => {
      await admitted('wait', 5);
      const { admitted: isAdmitted, retryAfterSeconds } = await admit('wait');
      expect(isAdmitted).toBe(false);
      expect(retryAfterSeconds).toBeGreaterThan(55);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    });
    it('refused requests do not delay the next admission', async () => {
      const rate = { perMinute: 60, burst: 1 };
      for (const wait of [0, 1_100]) {
        await pause(wait);
        const started = performance.now();
        const count = await admitted('steady', 20, rate);
        // One, and one more for each second that a busy machine takes.
        const most = 1 + Math.floor((performance.now() - started) / 1_000);
        expect([count >= 1, count <= most]).toEqual([true, true]);
      }
    });
    it('one full counter of several refuses with the longest wait', async () => {
      await admitted('full', 5);
      const both = await rates.admit([
        { name: 'roomy', rate: SLOW },
        { name: 'full', rate: SLOW },
      ]);
      expect(both.admitted).toBe(false);
      expect(both.retryAfterSeconds).toBeGreaterThan(50);
    });
    it('pruning keeps counters in use', async () => {
      await admitted('kept', 5);
      await rates.prune();
      expect(await admitted('kept', 3)).toBe(0);
    });
  });
