import { CoalescingRunner } from '../src';

describe('a coalescing runner', () => {
  let begun: number;
  let release: () => void;
  let runner: CoalescingRunner;
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    begun = 0;
    runner = new CoalescingRunner(() => {
      begun += 1;
      return new Promise((resolve) => (release = resolve));
    });
  });

  it('runs do not overlap, and calls during a run cause one more', async () => {
    for (let times = 0; times < 5; times += 1) runner.trigger();
    expect(begun).toBe(1);
    release();
    await settled();
    expect(begun).toBe(2);
    release();
    await settled();
    expect(begun).toBe(2);
    runner.trigger();
    expect(begun).toBe(3);
  });

  it('a stopped single flight finishes its run and starts no other', async () => {
    runner.trigger();
    runner.trigger();
    let isStopped = false;
    const stopped = runner.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    release();
    await stopped;
    runner.trigger();
    await settled();
    expect(begun).toBe(1);
  });
});
