import type { Counted, Rate, Rates } from '../src';

const HOUR_S = 3_600;
/** No test takes as long as this. */
const LONGEST_TEST_S = 600;
const SLOW: Rate = { perMinute: 1 / 60, burst: 5 };

export interface OpenedRates {
  readonly rates: Rates;
  /** Moves the counter of a name into the past, as if time had passed. */
  pass(name: string, seconds: number): Promise<unknown>;
}

/** The behaviour of every adapter. */
export const behavesLikeRates = (name: string, open: () => Promise<OpenedRates>): void =>
  describe(`${name} rates`, () => {
    let rates: Rates;
    let pass: OpenedRates['pass'];
    beforeAll(async () => {
      ({ rates, pass } = await open());
    });

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
      expect(retryAfterSeconds).toBeGreaterThan(HOUR_S - LONGEST_TEST_S);
      expect(retryAfterSeconds).toBeLessThanOrEqual(HOUR_S);
    });
    it('refused requests do not delay the next admission', async () => {
      const rate = { ...SLOW, burst: 1 };
      expect(await admitted('steady', 20, rate)).toBe(1);
      await pass('steady', HOUR_S);
      expect(await admitted('steady', 20, rate)).toBe(1);
    });
    it('one full counter of several refuses with the longest wait', async () => {
      await admitted('full', 5);
      const both = await rates.admit([
        { name: 'roomy', rate: SLOW },
        { name: 'full', rate: SLOW },
      ]);
      expect(both.admitted).toBe(false);
      expect(both.retryAfterSeconds).toBeGreaterThan(HOUR_S - LONGEST_TEST_S);
    });
    it('pruning keeps counters in use', async () => {
      await admitted('kept', 5);
      await rates.prune();
      expect(await admitted('kept', 3)).toBe(0);
    });
  });
