import { FairSemaphore, type FairSemaphoreSettings, pause } from '../src';

describe('a fair semaphore', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const open = (over: Partial<FairSemaphoreSettings> = {}): FairSemaphore =>
    new FairSemaphore({ permits: 4, mostWaiting: 8, refusal: () => new Error('too many wait'), ...over });

  /** Starts runs of one tenant; says how many began, and how many were refused. */
  const started = (semaphore: FairSemaphore, tenant: string | null, times: number, ms = 100) => {
    const counts = { begun: 0, refused: 0 };
    const all = Array.from({ length: times }, () =>
      semaphore
        .run(tenant, () => {
          counts.begun += 1;
          return pause(ms);
        })
        .catch(() => void (counts.refused += 1)),
    );
    return { counts, ended: Promise.all(all) };
  };

  it('one tenant holds at most half of permits and queue', async () => {
    const semaphore = open();
    const [flood, other] = [started(semaphore, 'a', 20), started(semaphore, 'b', 2)];
    await jest.advanceTimersByTimeAsync(1);
    expect([flood.counts, other.counts]).toEqual([
      { begun: 2, refused: 14 },
      { begun: 2, refused: 0 },
    ]);
    await jest.runAllTimersAsync();
    await Promise.all([flood.ended, other.ended]);
    expect(flood.counts.begun).toBe(6);
    expect(semaphore.idle).toBe(true);
  });
  it('tenants that wait get permits in turns', async () => {
    const semaphore = open({ permits: 2 });
    const order: string[] = [];
    const run = (tenant: string): Promise<unknown> =>
      semaphore.run(tenant, () => {
        order.push(tenant);
        return pause(100);
      });
    const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b', 'c'].map(run);
    await jest.runAllTimersAsync();
    await Promise.all(all);
    expect(order.slice(2, 6).filter((tenant) => tenant === 'a')).toHaveLength(2);
    expect(order.slice(2, 6)).toContain('c');
  });
  it('callers without a tenant may hold every permit', async () => {
    const semaphore = open();
    const { counts, ended } = started(semaphore, null, 20);
    await jest.advanceTimersByTimeAsync(1);
    expect(counts).toEqual({ begun: 4, refused: 8 });
    await jest.runAllTimersAsync();
    await ended;
    expect(counts.begun).toBe(12);
  });
  it('a standing queue refuses callers that wait too long', async () => {
    const semaphore = open({ permits: 2, mostWaiting: 40, crowdedWaitMs: 50, crowdedAfterMs: 300 });
    const burst = started(semaphore, 'a', 3);
    await jest.advanceTimersByTimeAsync(250);
    expect(burst.counts).toEqual({ begun: 3, refused: 0 });
    const flood = started(semaphore, 'a', 12);
    await jest.runAllTimersAsync();
    await Promise.all([burst.ended, flood.ended]);
    // Runs begin until the queue has stood for 300 ms; at the next free permit the others have waited too long.
    expect(flood.counts.begun).toBeLessThan(6);
    expect(flood.counts.begun + flood.counts.refused).toBe(12);
    expect(semaphore.idle).toBe(true);
  });
  it('failed work releases its permit', async () => {
    const semaphore = open();
    await expect(semaphore.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(semaphore.idle).toBe(true);
  });
});
