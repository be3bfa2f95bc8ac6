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

  it('a lone tenant holds every permit and the whole queue', async () => {
    const semaphore = open();
    const { counts, ended } = started(semaphore, 'a', 20);
    await jest.advanceTimersByTimeAsync(1);
    expect(counts).toEqual({ begun: 4, refused: 8 });
    await jest.advanceTimersByTimeAsync(10_000);
    await ended;
    expect([counts.begun, semaphore.idle]).toEqual([12, true]);
  });
  it('a tenant with half of the permits gets no further one while another waits', async () => {
    const semaphore = open();
    const order: string[] = [];
    const run = (tenant: string, ms: number): Promise<unknown> =>
      semaphore.run(tenant, () => {
        order.push(tenant);
        return pause(ms);
      });
    const all = [
      ...Array.from({ length: 8 }, () => run('a', 100)),
      ...Array.from({ length: 4 }, () => run('b', 1_000)),
    ];
    await jest.advanceTimersByTimeAsync(150);
    // The four permits that are free after the first runs go to the two tenants in turns.
    expect(order.slice(4).toSorted()).toEqual(['a', 'a', 'b', 'b']);
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(all);
  });
  it('a caller of a tenant with few waiting takes a place of the full queue', async () => {
    const semaphore = open({ permits: 1, mostWaiting: 4 });
    const [flood, other] = [started(semaphore, 'a', 5), started(semaphore, 'b', 3)];
    await jest.advanceTimersByTimeAsync(1);
    expect([flood.counts.refused, other.counts.refused]).toEqual([2, 1]);
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all([flood.ended, other.ended]);
    expect([flood.counts.begun, other.counts.begun]).toEqual([3, 2]);
  });
  it('a caller is refused after the longest wait, and not before', async () => {
    const semaphore = open({ permits: 1, longestWaitMs: 1_000 });
    const stuck = await semaphore.enter('a');
    const { counts, ended } = started(semaphore, 'b', 3);
    await jest.advanceTimersByTimeAsync(999);
    expect([counts.refused, semaphore.queued]).toEqual([0, 3]);
    await jest.advanceTimersByTimeAsync(1);
    expect([counts.refused, semaphore.queued]).toEqual([3, 0]);
    stuck();
    await ended;
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
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(all);
    expect(order.slice(2, 5).toSorted()).toEqual(['a', 'b', 'c']);
  });
  it('callers without a tenant may hold every permit', async () => {
    const semaphore = open();
    const { counts, ended } = started(semaphore, null, 20);
    await jest.advanceTimersByTimeAsync(1);
    expect(counts).toEqual({ begun: 4, refused: 8 });
    await jest.advanceTimersByTimeAsync(10_000);
    await ended;
    expect(counts.begun).toBe(12);
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
