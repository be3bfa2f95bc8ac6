import { exponential, retry, retryUntilStopped } from '../src';

/** Work that fails a number of times before it succeeds; counts its tries. */
const failing = (times: number) => {
  const seen = { tries: 0 };
  const work = (): Promise<string> => {
    seen.tries += 1;
    return seen.tries > times ? Promise.resolve('done') : Promise.reject(new Error(`failure ${seen.tries}`));
  };
  return { seen, work };
};

describe('a retry', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('a retry waits as its policy decides', async () => {
    const { seen, work } = failing(2);
    const result = retry(work, (failures) => exponential(failures, 100));
    await jest.advanceTimersByTimeAsync(99);
    expect(seen.tries).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.tries).toBe(2);
    await jest.advanceTimersByTimeAsync(200);
    expect(await result).toBe('done');
  });
  it('a policy that gives up throws the last error', async () => {
    const { seen, work } = failing(10);
    const result = retry(work, (failures) => (failures < 3 ? 10 : undefined));
    const refused = expect(result).rejects.toThrow('failure 3');
    await jest.advanceTimersByTimeAsync(10_000);
    await refused;
    expect(seen.tries).toBe(3);
  });
  it('a policy receives the error', async () => {
    const errors: unknown[] = [];
    const result = retry(failing(1).work, (_, error) => {
      errors.push(error);
      return 0;
    });
    await jest.advanceTimersByTimeAsync(10_000);
    await result;
    expect(errors).toEqual([new Error('failure 1')]);
  });
});

describe('a retry until something is available', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('retries continue without a limit', async () => {
    const { seen, work } = failing(500);
    const result = retryUntilStopped(work, { waitMs: () => 1_000, stopped: new AbortController().signal });
    await jest.advanceTimersByTimeAsync(500_000);
    expect(await result).toBe('done');
    expect(seen.tries).toBe(501);
  });
  it('a stop ends the wait at once', async () => {
    const stopping = new AbortController();
    const { seen, work } = failing(500);
    const result = retryUntilStopped(work, { waitMs: () => 60_000, stopped: stopping.signal });
    await jest.advanceTimersByTimeAsync(10);
    stopping.abort();
    expect(await result).toBeUndefined();
    expect(seen.tries).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
