import { CallerGone, FairSemaphore, type FairSemaphoreSettings, pause } from '../src';

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
  describe('under overload', () => {
    const crowded = { permits: 4, mostWaiting: 80, crowdedWaitMs: 250, crowdedAfterMs: 1_000 };

    /** Starts a run of a tenant at every interval; answers the times from start to begin, and the refusals. */
    const flood = async (semaphore: FairSemaphore, { everyMs, seconds }: { everyMs: number; seconds: number }) => {
      const found = { waits: [] as number[], refused: 0 };
      const all: Promise<unknown>[] = [];
      for (let sent = 0; sent < (seconds * 1_000) / everyMs; sent += 1) {
        const since = performance.now();
        const run = semaphore.run('a', () => {
          found.waits.push(performance.now() - since);
          return pause(50);
        });
        all.push(run.catch(() => void (found.refused += 1)));
        await jest.advanceTimersByTimeAsync(everyMs);
      }
      await jest.runAllTimersAsync();
      await Promise.all(all);
      return found;
    };

    it('admitted callers have waited for no longer than one run, after the burst', async () => {
      const semaphore = open(crowded);
      // Ten times what two permits carry.
      const { waits, refused } = await flood(semaphore, { everyMs: 2.5, seconds: 20 });
      expect(Math.max(...waits.slice(-700))).toBeLessThanOrEqual(55);
      expect(waits.length).toBeGreaterThan(750);
      expect(waits.length + refused).toBe(8_000);
      expect(semaphore.idle).toBe(true);
    });
    it('a burst of less than a second waits in peace', async () => {
      const { waits, refused } = await flood(open(crowded), { everyMs: 20, seconds: 0.8 });
      expect([waits.length, refused]).toEqual([40, 0]);
    });
    it('eight callers with one run after the other are never refused', async () => {
      const semaphore = open(crowded);
      const refused: unknown[] = [];
      const caller = async (): Promise<void> => {
        for (let run = 0; run < 50; run += 1) await semaphore.run('a', () => pause(50)).catch((e) => refused.push(e));
      };
      const all = Array.from({ length: 8 }, caller);
      await jest.runAllTimersAsync();
      await Promise.all(all);
      expect(refused).toEqual([]);
    });
    it('eight callers that come back after a second are admitted again, once a flood is over', async () => {
      const semaphore = open(crowded);
      const refusedAt: number[] = [];
      const caller = async (): Promise<void> => {
        for (let run = 0; run < 100; run += 1)
          await semaphore
            .run('a', () => pause(50))
            .catch(() => {
              refusedAt.push(performance.now());
              return pause(1_000);
            });
      };
      const all = Array.from({ length: 8 }, caller);
      const isOver = performance.now() + 5_000;
      await flood(semaphore, { everyMs: 2.5, seconds: 5 });
      await Promise.all(all);
      expect(refusedAt.length).toBeGreaterThan(0);
      expect(refusedAt.filter((at) => at > isOver + 3_000)).toEqual([]);
    });
    it('a tenant beside a flood is not refused', async () => {
      const semaphore = open(crowded);
      const flooding = flood(semaphore, { everyMs: 2.5, seconds: 3 });
      const other = started(semaphore, 'b', 10, 20);
      await Promise.all([flooding, other.ended]);
      expect(other.counts).toEqual({ begun: 10, refused: 0 });
    });
  });
  it('a caller that leaves the queue frees its place for others', async () => {
    const semaphore = open({ permits: 1, mostWaiting: 2 });
    const release = await semaphore.enter('a');
    const gone = new AbortController();
    const [leaving, staying] = [semaphore.enter('b', gone.signal), semaphore.enter('c')];
    gone.abort();
    await expect(leaving).rejects.toThrow(CallerGone);
    expect(semaphore.queued).toBe(1);
    release();
    (await staying)();
    expect([semaphore.inUse, semaphore.idle]).toEqual([0, true]);
  });
  it('a permit that is given back twice is one permit', async () => {
    const semaphore = open({ permits: 2 });
    const [release] = [await semaphore.enter('a'), await semaphore.enter('b')];
    release();
    release();
    expect(semaphore.inUse).toBe(1);
  });
  it('failed work releases its permit', async () => {
    const semaphore = open();
    await expect(semaphore.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(semaphore.idle).toBe(true);
  });
});
