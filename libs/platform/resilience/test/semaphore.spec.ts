import { pause, Semaphore, SingleFlight } from '../src';

describe('a semaphore', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const refusal = (): Error => new Error('too many wait');

  it('a semaphore admits a few at a time, in order of arrival', async () => {
    const semaphore = new Semaphore({ permits: 2, mostWaiting: 10, refusal });
    const seen: number[] = [];
    const all = [1, 2, 3, 4].map((number) =>
      semaphore.run(async () => {
        seen.push(number);
        await pause(100);
      }),
    );
    await jest.advanceTimersByTimeAsync(99);
    expect(seen).toEqual([1, 2]);
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(all);
    expect(seen).toEqual([1, 2, 3, 4]);
  });
  it('too many waiting callers are refused at once', async () => {
    const semaphore = new Semaphore({ permits: 1, mostWaiting: 1, refusal });
    const running = [semaphore.run(() => pause(10)), semaphore.run(() => pause(10))];
    await expect(semaphore.run(() => pause(10))).rejects.toThrow('too many wait');
    await jest.advanceTimersByTimeAsync(10_000);
    await Promise.all(running);
    expect(await semaphore.run(() => Promise.resolve('free again'))).toBe('free again');
  });
  it('failed work releases its permit', async () => {
    const semaphore = new Semaphore({ permits: 1, mostWaiting: 1, refusal });
    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.run(() => Promise.resolve('done'))).toBe('done');
  });
});

describe('a single flight', () => {
  it('concurrent callers of one key share the work', async () => {
    const flights = new SingleFlight<number>();
    let runs = 0;
    const work = (): Promise<number> => Promise.resolve((runs += 1));
    expect(await Promise.all([flights.run('a', work), flights.run('a', work), flights.run('b', work)])).toEqual([
      1, 1, 2,
    ]);
    expect(await flights.run('a', work)).toBe(3);
  });
  it('failed work is not shared with later callers', async () => {
    const flights = new SingleFlight<string>();
    await expect(flights.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await flights.run('a', () => Promise.resolve('done'))).toBe('done');
  });
});
