import { SliceSize } from './slice-size';

const limits = { least: 8, most: 32, wanted: 2 };

describe('the size of a slice', () => {
  it('fast slices grow to the most, slow ones shrink to the least', () => {
    const size = new SliceSize({ isWanted: false }, limits);
    const sizes = [10, 10, 10].map((ms) => (size.took(size.now, ms), size.now));
    expect(sizes).toEqual([16, 32, 32]);
    expect([60, 60, 60].map((ms) => (size.took(size.now, ms), size.now))).toEqual([16, 8, 8]);
  });

  it('a slice that was not full says nothing about larger ones', () => {
    const size = new SliceSize({ isWanted: false }, limits);
    size.took(3, 1);
    expect(size.now).toBe(8);
  });

  it('slices are small while requests wait', () => {
    expect(new SliceSize({ isWanted: true }, limits).now).toBe(2);
  });

  it('the work pauses as long as a slice took while requests wait, and else not', async () => {
    jest.useFakeTimers();
    const restOf = async (isWanted: boolean, tookMs: number): Promise<number> => {
      const began = performance.now();
      const rested = new SliceSize({ isWanted }, limits).rest(tookMs).then(() => performance.now() - began);
      await jest.advanceTimersByTimeAsync(1_000);
      return rested;
    };
    try {
      expect([await restOf(true, 40), await restOf(true, 2_000), await restOf(false, 2_000)]).toEqual([40, 100, 0]);
    } finally {
      jest.useRealTimers();
    }
  });
});
