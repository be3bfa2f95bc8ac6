import type { Counters } from '../src';

export interface OpenedCounters {
  readonly counters: Counters;
  /** Moves the hits of a name and their expiry into the past, as if time had passed. */
  pass(name: string, seconds: number): Promise<unknown>;
}

const HOUR_S = 3_600;

/** The behaviour of every adapter. */
export const behavesLikeCounters = (name: string, open: () => Promise<OpenedCounters>): void =>
  describe(`${name} counters`, () => {
    let counters: Counters;
    let pass: OpenedCounters['pass'];
    beforeAll(async () => {
      ({ counters, pass } = await open());
    });

    const admitted = async (key: string, times: number, seconds = HOUR_S): Promise<number> => {
      const all = await Promise.all(Array.from({ length: times }, () => counters.take(key, { most: 5, seconds })));
      return all.filter((one) => one.admitted).length;
    };

    it('twenty concurrent hits admit no more than the limit', async () => {
      expect(await admitted('parallel', 20)).toBe(5);
    });
    it('each name is counted separately, with its retry time', async () => {
      await admitted('one', 5);
      expect(await counters.take('one', { most: 5, seconds: 60 })).toEqual({
        admitted: false,
        retryAfterSeconds: expect.any(Number) as number,
      });
      expect((await counters.take('another', { most: 5, seconds: 60 })).admitted).toBe(true);
    });
    it('refused hits and hits older than the limit do not count', async () => {
      expect(await admitted('window', 9)).toBe(5);
      await pass('window', HOUR_S / 2);
      expect(await admitted('window', 9)).toBe(0);
      await pass('window', HOUR_S / 2);
      expect(await admitted('window', 9)).toBe(5);
    });
    it('each hit given back admits another one', async () => {
      await admitted('given', 5);
      await counters.giveBack('given');
      expect(await admitted('given', 3)).toBe(1);
    });
    it('pruning deletes hits that no limit needs', async () => {
      await admitted('dropped', 5);
      await pass('dropped', HOUR_S);
      await counters.prune();
      expect(await admitted('dropped', 9, 24 * HOUR_S)).toBe(5);
    });
  });
